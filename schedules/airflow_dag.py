"""An hourly DAG that submits the three jobs to a Spark cluster with Airflow's SparkSubmitOperator."""

from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG

CASE = "/shared/txn-forensics/case"
INCOMING = "/shared/txn-forensics/incoming/{{ data_interval_end.strftime('%Y-%m-%dT%H') }}"
JOBS = Path(find_spec("analyzer").origin).parent / "jobs"
DELTA = "io.delta:delta-spark_4.1_2.13:4.4.0"
CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
}

with DAG("txn_forensics", schedule="20 * * * *", start_date=datetime(2026, 1, 1, tzinfo=UTC), catchup=False) as dag:
    tasks = [
        SparkSubmitOperator(
            task_id=name, application=str(JOBS / f"{name}.py"), application_args=arguments, packages=DELTA, conf=CONF
        )
        for name, arguments in {
            "ingest": [INCOMING, "--case", CASE],
            "analyze": ["--case", CASE, "--exit-zero"],
            "report": ["--case", CASE, "--exit-zero", "--format", "markdown"],
        }.items()
    ]
    tasks[0] >> tasks[1] >> tasks[2]
