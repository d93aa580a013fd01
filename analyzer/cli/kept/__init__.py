"""The commands on what cases keep: plan, evidence, fetch, overhead, cases, vacuum."""
