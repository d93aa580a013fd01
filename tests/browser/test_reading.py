"""What a reader does with the page: finds a place, reads it on a narrow screen, ticks off steps, tells verdicts apart."""

import re

import browsing
import pytest
from browsing import NAMES
from selenium.webdriver.common.by import By

NARROW = {"width": 500, "height": 900, "deviceScaleFactor": 1, "mobile": False}
ON_SCREEN = """
const box = arguments[0].getBoundingClientRect(), frame = arguments[0].closest('.scroll').getBoundingClientRect();
return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.right <= innerWidth;
"""
SPLIT = """
return [...document.querySelectorAll('.option')].filter(one => one.checkVisibility() && one.getClientRects().length > 1)
  .map(one => one.textContent);
"""


@pytest.fixture
def narrow(browser):
    """The browser, 500 px wide."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", NARROW)
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def opened(browser):
    browser.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def kinds(browser):
    """The classes of the open bars that are drawn, and the first words on each."""
    bars = browser.find_elements(By.CSS_SELECTOR, "rect.open")
    told = [one.find_element(By.TAG_NAME, "title").get_attribute("textContent") for one in bars]
    return {(one.get_attribute("class"), re.split(r" \d", words)[0]) for one, words in zip(bars, told, strict=True)}


@pytest.mark.parametrize("name", NAMES)
def test_the_red_end_of_every_timeline_is_on_a_narrow_screen(narrow, pages, name):
    narrow.get(pages[name])
    opened(narrow)
    arrows = narrow.find_elements(By.CSS_SELECTOR, ".lanes .arrow")
    assert arrows
    assert all(narrow.execute_script(ON_SCREEN, one) for one in arrows)


@pytest.mark.parametrize("name", NAMES)
def test_no_option_is_split_and_no_warning_is_cut_on_a_narrow_screen(narrow, pages, name):
    narrow.get(pages[name])
    opened(narrow)
    assert len(narrow.find_elements(By.CSS_SELECTOR, ".option")) > 10
    assert narrow.execute_script(SPLIT) == []
    cut = narrow.execute_script(
        "return [...document.querySelectorAll('.actions td, .action, .danger, nav.summary b')].filter(one => { const box = "
        "one.getBoundingClientRect(); return box.width && (box.right > innerWidth || box.left < 0); }).map(one => one.textContent)"
    )
    assert cut == []


@pytest.mark.parametrize("name", NAMES)
def test_the_contents_lead_to_every_part(browser, pages, name):
    browser.get(pages[name])
    links = [
        one.get_attribute("href").partition("#")[2] for one in browser.find_elements(By.CSS_SELECTOR, ".contents a")
    ]
    assert len(links) > 4
    assert len(links) == len(set(links))
    there = "const one = document.getElementById(arguments[0]); return one !== null && one.checkVisibility()"
    assert all(browser.execute_script(there, link) for link in links)
    headings = browser.execute_script(
        "return [...document.querySelectorAll('main > section > h2')].filter(one => !one.closest('.comparison'))"
        ".map(one => one.id || one.parentElement.id)"
    )
    assert set(headings) == set(links)


def test_the_summary_stays_and_covers_no_target(page, documents):
    page.execute_script("document.documentElement.style.scrollBehavior = 'auto'; scrollTo(0, 3000)")
    assert page.execute_script("return document.querySelector('nav.summary').getBoundingClientRect().top") == 0
    last = documents["S8_marker_lost"]["findings"][-1]["id"]
    page.execute_script("location.hash = arguments[0]; dispatchEvent(new HashChangeEvent('hashchange'))", last)
    covered = page.execute_script(
        "const top = document.getElementById(arguments[0]).getBoundingClientRect().top; "
        "return top < document.querySelector('nav.summary').getBoundingClientRect().bottom - 1", last
    )  # fmt: skip
    assert not covered


def test_a_step_stays_ticked_off(page, pages):
    box = page.find_element(By.CSS_SELECTOR, ".tick")
    page.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", box)
    assert not box.is_selected()
    box.click()
    page.get("about:blank")
    page.get(pages["S8_marker_lost"])
    again = page.find_element(By.CSS_SELECTOR, ".tick")
    assert again.is_selected()
    assert page.find_elements(By.CSS_SELECTOR, ".step.done")
    assert len([one for one in page.find_elements(By.CSS_SELECTOR, ".tick") if one.is_selected()]) == 1
    page.execute_script("localStorage.clear()")


def test_verdicts_differ_by_word_and_by_look(browser, documents, tmp_path):
    document = documents["S8_marker_lost"]
    words = ("in_flight", "undecided", "orphaned")
    opens = [one for one in document["open_transactions"] if one["authority"]]
    other = {id(one): word for one, word in zip(opens, words, strict=True)}
    changed = [{**one, "verdict": other.get(id(one), one["verdict"])} for one in document["open_transactions"]]
    browser.get(browsing.written({**document, "open_transactions": changed}, tmp_path, "verdicts"))
    assert kinds(browser) == {
        ("bar open running", "in flight"),
        ("bar open unsure", "undecided"),
        ("bar open orphaned", "orphaned"),
    }
    dashes = browser.execute_script(
        "return [...document.querySelectorAll('rect.open')].map(one => getComputedStyle(one).strokeDasharray)"
    )
    assert len(set(dashes)) == 3
    browser.get(browsing.written(document, tmp_path, "hangs"))
    assert {word for _, word in kinds(browser)} == {"hangs"}


def test_a_lost_commit_and_exposed_records_are_drawn(browser, documents, tmp_path):
    document = documents["S8_marker_lost"]
    lane = next(one for one in document["incidents"][0]["timeline"]["logs"] if one["authority"])
    bar = next(one for one in lane["bars"] if one.get("marker_offset") is None)
    place = {"topic": lane["topic"], "partition": lane["partition"], "producer_id": bar["producer_id"]}
    one = {**document["findings"][0], **place, "first_offset": bar["first_offset"], "folded_under": None}
    lost = {**one, "id": "TXN015-000000000001", "readers": {"impact": "lost_data", "records": 2}}
    shown = {**one, "id": "TXN007-000000000002", "readers": {"impact": "wrong_data", "records": 2}}
    browser.get(browsing.written({**document, "findings": [*document["findings"], lost, shown]}, tmp_path, "harm"))
    assert browser.find_elements(By.CSS_SELECTOR, "rect.exposed")
    committed = [one for one in document["incidents"][0]["timeline"]["coordinator"] for state in one["states"]
                 if state["state"] == "PrepareCommit" and state["producer_id"] == bar["producer_id"]
                 and f"{lane['topic']}-{lane['partition']}" in state["partitions"]]  # fmt: skip
    assert bool(browser.find_elements(By.CSS_SELECTOR, ".lost-box")) == bool(committed)
    assert committed


def test_who_is_held_up_is_a_matrix(browser, documents, tmp_path):
    document = documents["late_write"]
    opened_row = next(one for one in document["open_transactions"] if one["verdict"].startswith("hanging"))
    impact = {"topic": opened_row["topic"], "partition": opened_row["partition"], "replica": "0", "lso": 0, "group": "billing",
              "pending": False, "groups": 1}  # fmt: skip
    browser.get(browsing.written({**document, "group_impact": [impact]}, tmp_path, "groups"))
    head = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".blast thead th")]
    assert head == ["topic", "stuck partitions", "billing"]
    rows = {row.find_element(By.TAG_NAME, "th").text: [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
            for row in browser.find_elements(By.CSS_SELECTOR, ".blast tbody tr")}  # fmt: skip
    assert rows[opened_row["topic"]][1] == "stopped"
    assert [row for topic, row in rows.items() if topic != opened_row["topic"] and row[1] != "-"] == []


def test_many_findings_are_folded_and_still_found(browser, documents, tmp_path):
    one = documents["late_write"]["findings"][0]
    many = [
        {**one, "id": f"TXN002-{number:012x}", "folded_under": None, "consequences": [], "partition": number,
         "headline": f"records {number} came late"}
        for number in range(60)
    ]  # fmt: skip
    browser.get(browsing.written({**documents["late_write"], "findings": many, "incidents": []}, tmp_path, "sixty"))
    shut = browser.execute_script("return [...document.querySelectorAll('.card > details')].map(one => one.open)")
    assert shut == [True] + [False] * 59
    assert browser.execute_script("return document.documentElement.scrollHeight") < 10_000
    identity = f"TXN002-{59:012x}"
    browser.execute_script("location.hash = arguments[0]; dispatchEvent(new HashChangeEvent('hashchange'))", identity)
    assert browser.execute_script(
        "return document.getElementById(arguments[0]).querySelector('details').open", identity
    )
