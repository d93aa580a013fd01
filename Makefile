# Needs Python 3.11, 3.12 or 3.13 with venv, make and, for all but make quick, Java 17; everything else goes into .venv.

PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3; do \
  $$p -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
MB ?= 1000
RUNS ?= 5
SIZES ?= 2000 8000 50000
ENGINES ?= sail
ENGINE ?= spark
# Sessions, storage and clusters are Spark's; what all other tests ask does not depend on the engine, and
# tests/lab/test_engines.py holds both engines to the same documents.
ON_SPARK := tests/cluster tests/engines tests/house/test_tables.py tests/lab/test_engines.py tests/pipeline tests/storage \
  tests/test_submit.py
# What asks commands on Sail, beside all the rest on Sail: three parts that end at about the same time on two cores.
COMMANDS := tests/cli tests/collect tests/controller tests/lookups tests/rescue tests/schedules tests/sql

# Tests start hundreds of processes: each would compile the whole package again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-spark test-commands test-rest test-browser soak unreadable lint bench large anonymized accepted broker election frameworks groups words steps inplace engines corpus schemas readme postmortems sql screenshots dist dist-test pythons carry carry-test container-test docs clean

help: ## list what make can do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

demo: $(VENV)/local ## install into .venv, run on sample_data/, print the report
	@$(BIN)/txn-forensics fetch-jars
	$(BIN)/txn-forensics run sample_data; code=$$?; test $$code -le 1

quick: $(VENV)/quick ## the same without Java: install Sail into .venv and run the main job on sample_data/
	$(BIN)/txn-forensics run sample_data --engine sail; code=$$?; test $$code -le 1

test: lint ## run ruff, mypy and the whole test suite, but for the browser
	@$(MAKE) --no-print-directory -j3 --output-sync=target test-spark test-commands test-rest

test-spark: $(VENV)/dev # what needs Spark
	$(BIN)/python -m pytest $(ON_SPARK)

test-commands: $(VENV)/dev
	$(BIN)/python -m pytest --engine sail $(COMMANDS)

test-rest: $(VENV)/dev
	$(BIN)/python -m pytest --engine sail --ignore=tests/browser --ignore=tests/release $(addprefix --ignore=,$(ON_SPARK) $(COMMANDS))

test-browser: $(VENV)/dev ## look at the HTML report in Chromium: apt-get install chromium chromium-driver
	$(BIN)/python -m pytest tests/browser

soak: $(VENV)/dev ## evidence taken away from every scenario, 300 random parts, 300 excerpts, 300 damaged captures, 30 kills, every command 30 times, rescue after chaos, the lab on a cluster: an hour and more (ENGINE=sail: the cluster and the addresses stay on Spark)
	$(BIN)/python -m pytest --soak --engine $(ENGINE) tests/lab/test_missing_evidence.py tests/lab/test_parts.py \
	  tests/lab/test_excerpts.py tests/lab/test_any_folder.py tests/lab/test_damaged_markers.py tests/lab/test_flipped_bits.py \
	  tests/parse/test_excerpts.py tests/parse/test_long_logs.py \
	  tests/cli/test_exit_codes.py tests/pipeline/test_killed.py tests/rescue/test_real_logs.py tests/lookups/test_who.py
	$(BIN)/python -m pytest --soak tests/storage/test_schemas_and_addresses.py tests/pipeline/test_amounts.py tests/lab/test_engines.py tests/cluster

unreadable: $(VENV)/dev ## a partition of every scenario is gone, or closed to the user: never clean
	$(BIN)/python -m pytest --soak --engine sail tests/lab/test_unreadable.py

lint: $(VENV)/dev ## run ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/dev ## measure speed and memory: make bench MB=1000 RUNS=5 KAFKA=<folder of jars> LOGDIR=<log dirs>
	$(BIN)/python bench/run.py --mb $(MB)
	$(BIN)/python bench/logs.py
	$(BIN)/python bench/raw.py --mb $(MB) $(if $(KAFKA),--kafka $(KAFKA))
	$(BIN)/python bench/engines.py --mb $(MB) --runs $(RUNS)
	$(if $(LOGDIR),$(BIN)/python bench/engines.py --log-dir $(LOGDIR) $(if $(KAFKA),--kafka $(KAFKA)))
	$(BIN)/python bench/captures.py

large: $(VENV)/dev ## time, memory and disk of log dirs of 2, 8 and 50 GB, of zeros: make large SIZES="2000 8000" ENGINES="sail spark"
	$(BIN)/python bench/large.py --mb $(SIZES) --engines $(ENGINES)

broker: $(VENV)/dev ## follow the printed plans on real brokers of three releases, collect from one that is written to, parse every command with their tools
	@$(BIN)/python -m pip install --quiet --editable '.[broker]'
	for release in 3.5.2 3.9.1 4.1.1; do \
	  $(BIN)/python tests/broker/end_and_replay.py --kafka $$release || exit 1; done
	$(BIN)/python tests/broker/collect_while_written.py
	$(BIN)/python -m pytest tests/broker/test_commands.py --kafka

groups: $(VENV)/dev ## groups of the classic, consumer and share protocols on a real broker of 4.3, read from its log dir
	@$(BIN)/python -m pip install --quiet --editable '.[broker]'
	$(BIN)/python tests/broker/groups_of_each_protocol.py

election: $(VENV)/dev ## lose committed records of a real cluster of three brokers in an unclean election, and bring them back by the report's plan
	@$(BIN)/python -m pip install --quiet --editable '.[broker]'
	$(BIN)/python tests/broker/rescue_after_election.py --transcript docs/rescue-after-unclean-election.md

frameworks: $(VENV)/dev ## kill Kafka Streams, Connect and Flink inside a transaction on a real broker, start them again, see what becomes of it
	@$(BIN)/python -m pip install --quiet --editable '.[broker]'
	$(BIN)/python tests/broker/restart_clients.py --transcript docs/clients.md

anonymized: $(VENV)/dev ## a copy under other names of every scenario of the corpus: the same findings, nothing of the original left
	$(BIN)/python -m pytest --soak --engine sail -s tests/anonymize

accepted: $(VENV)/dev ## Kafka's own DumpLogSegments, of two releases, reads the raw files of anonymized copies of every scenario
	$(BIN)/python -m pytest --kafka -s tests/broker/test_accepted_copies.py

words: $(VENV)/dev ## look for the words of every known line of a log in the jars of five releases of Kafka, fetched once (460 MB)
	$(BIN)/python -m pytest tests/broker/test_words.py tests/broker/test_headers.py --kafka

steps: $(VENV)/dev ## collect every scenario in two steps and compare with whole log dirs: make steps LAB=<folder with dev/>
	@test -n "$(LAB)" || { echo 'usage: make steps LAB=<folder>' >&2; exit 2; }
	$(BIN)/python bench/steps.py "$(LAB)/dev"

inplace: $(VENV)/dev ## measure run --open-only beside a full run, on a log dir of 20 GB that it writes and removes
	$(BIN)/python bench/open_only.py

engines: $(VENV)/dev ## every scenario on Spark and on Sail: equal documents, and both times: make engines LAB=<folder with dev/>
	@test -n "$(LAB)" || { echo 'usage: make engines LAB=<folder>' >&2; exit 2; }
	$(BIN)/python bench/engines.py --lab "$(LAB)/dev"

corpus: $(VENV)/dev ## pack tests/corpus.tar.xz: make corpus LAB=<folder with dev/ matrix/ vectors/ metadata/>
	@test -n "$(LAB)" || { echo 'usage: make corpus LAB=<folder>' >&2; exit 2; }
	$(BIN)/python tests/pack_corpus.py "$(LAB)" tests/corpus.tar.xz

schemas: $(VENV)/dev ## write schemas/*.ddl from analyzer/tables and the derived tables
	$(BIN)/python -m analyzer.lifecycles.ddl schemas

readme: $(VENV)/dev ## write the transcript, the help text and the table of findings into README.md and docs/detectors/
	$(BIN)/python tests/house/readme_parts.py

postmortems: $(VENV)/dev ## write docs/postmortems from three real captures
	$(BIN)/python tests/lab/postmortems.py

sql: $(VENV)/dev ## write docs/sql.md and its notebook: the tables, twelve questions and what sample_data answers
	$(BIN)/python tests/sql/sql_page.py

stages: $(VENV)/dev ## write docs/stages.md and the columns of private tables from the stages
	$(BIN)/python tests/house/stages_page.py
	PYTHONPATH=tests $(BIN)/python tests/house/private_tables.py

screenshots: $(VENV)/dev ## take docs/pictures/ of the HTML report in Chromium, light and dark
	$(BIN)/python tests/browser/screenshots.py

docs: $(VENV)/quick ## build the docs site into build/docs/html; a dead link is an error
	@$(BIN)/python -m pip install --quiet 'mkdocs>=1.6,<2'
	PYTHONPATH=. $(BIN)/python release/docs_site.py

dist: $(VENV)/bin/python ## build the wheel and the source archive into dist/ and check their metadata
	@$(BIN)/python -m pip install --quiet 'build>=1.2' 'twine>=6'
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

dist-test: dist $(VENV)/dev ## install the built wheel into a fresh environment, away from the tree, and use it there
	$(BIN)/python -m pytest tests/release/test_wheel.py

pythons: dist ## the main job and some tests from the built wheel, with each Python that is here: make pythons PYTHONS="python3.12 python3.13"
	PYTHONS="$(PYTHONS)" bash release/pythons.sh

carry: dist ## join the wheel and all that it needs on Sail into one file in dist/, for this Python and platform
	@$(BIN)/python -m pip install --quiet 'pex>=2.100'
	$(BIN)/python release/carry.py

carry-test: carry $(VENV)/dev ## run that file with an empty HOME, without pip and network, in another folder
	$(BIN)/python -m pytest tests/release/test_carry.py

container-test: dist $(VENV)/dev ## build the images of the Containerfile in a fresh root and run them: apt-get install buildah debootstrap, as root
	@$(BIN)/python -m pip install --quiet 'dockerfile-parse>=2'
	$(BIN)/python -m pytest tests/release/test_container.py

clean: ## remove the virtual environment and what tools have left
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo 'error: no Python 3.11, 3.12 or 3.13 with venv on PATH' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/local: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[local]'
	@touch $@

$(VENV)/quick: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[quick]'
	@touch $@

$(VENV)/dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[local,quick,dev]'
	@touch $@ $(VENV)/local $(VENV)/quick
