// What the record knows of a run, in terms and facts.

import { bytes, clause, count, ended, fact, h, instant, took, until } from "./view.js";

/** The facts of a run, what its reader asks for first at the top. */
export function known(run, now) {
  const over = ended(now);
  const about = [
    fact("Of", run.host_scope || [run.pipeline_id, run.table].filter(Boolean).join(" / ")),
    run.chunk && fact("Chunk", code(run.chunk)),
    fact("Started", instant(run.started_at)), fact("Took", took(run.started_at, over ? run.ended_at : null)),
    now === "running" && run.owner && fact("Held by", `process ${run.owner.pid}, whose lease ends `, until(run.owner.lease_expires_at)),
    run.next_attempt_at && now === "waiting" && fact("Next attempt", until(run.next_attempt_at)),
    run.rows > 0 && fact("Rows", count(run.rows)), run.bytes > 0 && fact("Bytes", bytes(run.bytes)),
    run.skipped > 0 && fact("Skipped", count(run.skipped)),
    run.reason && fact("Reason", run.reason),
    run.stop && fact("Stop asked", instant(run.stop.requested_at), run.stop.reason ? `: ${run.stop.reason}` : ""),
    fact("Plan", code(run.plan_ref || "none")), fact("Execution", code(run.execution_id)),
    run.trace_id && fact("Trace", code(run.trace_id)), fact("Site", run.site_id),
    run.connector_id && fact("Connector", `${run.connector_id} ${run.connector_version}`),
  ];
  return [failed(run), card(about)].filter(Boolean);
}

/** What the run read and under which bounds, which bounds its calls struck, what it landed as less than it was. */
export function bounded(run) {
  const { input, bound_hits: hits, failed_branches: branches, schema_diff: downgrades } = run;
  return [
    input && section("Input", card([
      fact("Rows", count(input.rows)), fact("As of", instant(input.as_of)),
      input.available_as_of && fact("Available as of", instant(input.available_as_of)),
      input.origin && fact("Origin", instant(input.origin)), input.sweep_id && fact("Sweep", code(input.sweep_id)),
      ...Object.entries(input.snapshots).map(([table, snapshot]) => fact(`Snapshot of ${table}`, code(snapshot))),
    ])),
    hits?.length && section("Bounds struck", list(hits.map((hit) => `${hit.bound}, by attempt ${hit.attempt} of ${hit.step_label}`)), clause("run.retry.bound-hit-recorded")),
    branches?.length && section("Branches that failed", list(branches.map((branch) => `${branch.label}: ${branch.tag}`))),
    downgrades?.length && section("Landed as less than it was", list(downgrades.map((each) => `${each.path}: ${each.source_type} as ${each.landed_type}. ${each.reason}`)), clause("run.record.schema-diff-shape")),
  ].filter(Boolean);
}

/** What the run says of itself; how far it has come has a bar. */
export function noted({ items, of, spent, ...rest }) {
  const notes = Object.entries(rest).map(([key, value]) => fact(key, typeof value === "string" ? value : JSON.stringify(value)));
  const paid = Object.entries(spent ?? {}).map(([unit, amount]) => fact("Spent", `${amount.toFixed(2)} ${unit}`));
  return [of ? advance(items, of) : "", paid.length + notes.length ? section("Metadata", card([...paid, ...notes])) : ""].filter(Boolean);
}

function advance(items, of) {
  const done = ["through", "success", "failure"].reduce((sum, each) => sum + (items[each] ?? 0), 0);
  const told = Object.entries(items).filter(([, number]) => number).map(([outcome, number]) => `${count(number)} ${outcome}`);
  const says = `${count(done)} of ${count(of)} rows: ${told.join(", ")}`;
  return h("div", { class: "advance" }, h("progress", { max: of, value: done, "aria-label": "How far the rows have come" }), h("span", { class: "soft" }, says));
}

function failed(run) {
  return run.error_kind && h("div", { class: "card refusal" }, h("p", {}, h("strong", {}, run.error_kind)), h("p", {}, run.error_message || ""));
}

function section(title, ...content) {
  return h("section", {}, h("h2", {}, title), content);
}

function card(facts) {
  return h("div", { class: "card" }, h("dl", { class: "facts" }, facts.filter(Boolean)));
}

function list(texts) {
  return h("ul", { class: "card plain" }, texts.map((text) => h("li", {}, text)));
}

function code(text) {
  return h("span", { class: "code" }, text);
}
