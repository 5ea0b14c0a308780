// The runs, newest first.

import { get } from "./api.js";
import { count, h, instant, refusal, status, sync, took } from "./view.js";

const EVERY_MS = 2000;
const SHOWN = 50;
const STATUSES = ["running", "waiting", "pending", "failed", "partial_failure", "canceled", "success"];

export function show(main, signal) {
  const pipeline = h("input", { id: "pipeline", autocomplete: "off", spellcheck: "false" });
  const chosen = h("select", { id: "status" }, h("option", { value: "" }, "any"), STATUSES.map((each) => h("option", { value: each }, each.replace("_", " "))));
  const parts = h("input", { id: "parts", type: "checkbox", onchange: () => load() });
  const body = h("tbody");
  const note = h("p", { class: "soft", role: "status" });
  const trouble = h("div");
  const head = ["Status", "Run", "Of", "Started", "Took", "Rows", "Error"];
  main.replaceChildren(
    h("h1", {}, "Runs"),
    h("form", { class: "row", role: "search", onsubmit: (event) => { event.preventDefault(); load(); } },
      h("div", {}, h("label", { for: "pipeline" }, "Pipeline"), pipeline),
      h("div", {}, h("label", { for: "status" }, "Status"), chosen),
      h("label", { class: "check", for: "parts" }, parts, " Items, origins and landings, too"),
      h("button", { type: "submit" }, "Show")),
    trouble,
    h("table", { "aria-label": "Runs, newest first" }, h("thead", {}, h("tr", {}, head.map((each) => h("th", { scope: "col", class: each === "Rows" || each === "Took" ? "number" : null }, each)))), body),
    note);
  chosen.addEventListener("change", draw);
  let page = { runs: [] };
  let drawn = new Map();

  async function load() {
    const asked = pipeline.value.trim();
    try {
      page = await get(`/runs?limit=${SHOWN}&whole=${!parts.checked}${asked ? `&pipeline=${encodeURIComponent(asked)}` : ""}`, signal);
      trouble.replaceChildren();
    } catch (refused) {
      if (signal.aborted) return;
      if (refused.status === 401) throw refused;
      page = { runs: [] };
      trouble.replaceChildren(refusal(refused));
    }
    draw();
  }

  function draw() {
    const shown = page.runs.filter((run) => !chosen.value || run.status === chosen.value);
    const next = new Map();
    for (const run of shown) {
      const said = JSON.stringify(run);
      const before = drawn.get(run.run_id);
      next.set(run.run_id, before && before.said === said ? before : { said, row: row(run) });
    }
    sync(body, [...next.values()].map((each) => each.row));
    drawn = next;
    note.textContent = shown.length ? (page.truncated ? `The newest ${shown.length}; there are more.` : "") : "No runs to show.";
  }

  return { load, every: EVERY_MS };
}

function row(run) {
  const of = run.host_scope || [run.pipeline_id, run.table].filter(Boolean).join(" / ");
  const cells = [
    ["Status", "", status(run.status)],
    ["Run", "", h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}`, class: "code" }, run.run_id)],
    ["Of", "", of],
    ["Started", "", instant(run.started_at)],
    ["Took", "number", took(run.started_at, run.ended_at)],
    ["Rows", "number", run.rows ? count(run.rows) : ""],
    ["Error", "error", run.error_message || run.reason || ""],
  ];
  return h("tr", {}, cells.map(([label, kind, content]) => h("td", { "data-label": label, class: kind || null }, content)));
}
