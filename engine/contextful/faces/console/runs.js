// The runs, newest first.

import { get } from "./api.js";
import { clamped, count, h, instant, refusal, status, sync, took } from "./view.js";

const EVERY_MS = 2000;
const SHOWN = 50;
const STATUSES = ["running", "waiting", "pending", "failed", "partial_failure", "canceled", "success"];

export function show(main, signal) {
  const pipeline = h("input", { id: "pipeline", autocomplete: "off", spellcheck: "false" });
  const chosen = h("select", { id: "status" }, h("option", { value: "" }, "any"), STATUSES.map((each) => h("option", { value: each }, each.replace("_", " "))));
  const parts = h("input", { id: "parts", type: "checkbox", onchange: () => anew() });
  const body = h("tbody");
  const note = h("span", { class: "soft", role: "status" });
  const newer = h("button", { type: "button", onclick: () => turn(null) }, "Newer");
  const older = h("button", { type: "button", onclick: () => turn(page.runs.at(-1).run_id) }, "Older");
  const pages = h("div", { class: "row pages" }, newer, older, note);
  const trouble = h("div");
  const head = ["Status", "Run", "Of", "Started", "Took", "Rows", "Error"];
  main.replaceChildren(
    h("h1", {}, "Runs"),
    h("form", { class: "row bar", role: "search", onsubmit: (event) => { event.preventDefault(); anew(); } },
      h("div", {}, h("label", { for: "pipeline" }, "Pipeline"), pipeline),
      h("div", {}, h("label", { for: "status" }, "Status"), chosen),
      h("label", { class: "check", for: "parts" }, parts, " Items, origins and landings, too"),
      h("button", { type: "submit" }, "Show")),
    trouble,
    h("table", { "aria-label": "Runs, newest first" }, h("thead", {}, h("tr", {}, head.map((each) => h("th", { scope: "col", class: each === "Rows" || each === "Took" ? "number" : null }, each)))), body),
    pages);
  chosen.addEventListener("change", () => anew());
  let page = { runs: [] };
  let drawn = new Map();
  let before = []; // the last run of each page that was turned

  function anew() {
    before = [];
    look();
  }

  function turn(last) {
    if (last) before.push(last);
    else before.pop();
    look();
  }

  function look() {
    load().catch(() => {}); // what keeps from looking is said by the next look, which comes soon
  }

  async function load() {
    const asked = pipeline.value.trim();
    try {
      const filters = { limit: SHOWN, whole: !parts.checked, pipeline: asked, status: chosen.value, before: before.at(-1) };
      page = await get(`/runs?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "" && value !== undefined))}`, signal);
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
    const shown = page.runs;
    const next = new Map();
    for (const run of shown) {
      const said = JSON.stringify(run);
      const before = drawn.get(run.run_id);
      next.set(run.run_id, before && before.said === said ? before : { said, row: row(run) });
    }
    sync(body, [...next.values()].map((each) => each.row));
    drawn = next;
    [newer.hidden, older.hidden] = [!before.length, !page.truncated || !shown.length];
    note.textContent = shown.length ? (before.length ? `Page ${before.length + 1}` : "") : told();
  }

  /** Why there is nothing to see. */
  function told() {
    if (page.truncated) return "None among the newest runs, and there are more: ask for a pipeline or a status.";
    if (pipeline.value.trim() || chosen.value) return "No run is as you ask.";
    return "No run yet. `contextful pipeline run` or `contextful job fire` makes one, and it shows up here.";
  }

  return { load, every: EVERY_MS };
}

function row(run) {
  const of = run.host_scope || [run.pipeline_id, run.table].filter(Boolean).join(" / ");
  const cells = [
    ["Status", "", status(run.status)],
    ["Run", "name", h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}`, class: "code" }, run.run_id)],
    ["Of", "of", of],
    ["Started", "", instant(run.started_at)],
    ["Took", "number", took(run.started_at, run.ended_at)],
    ["Rows", "number", run.rows ? count(run.rows) : ""],
    ["Error", "error", clamped(run.error_message || run.reason || "")],
  ];
  return h("tr", {}, cells.map(([label, kind, content]) => h("td", { "data-label": label, class: kind || null }, content)));
}
