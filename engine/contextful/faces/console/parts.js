// What a run is made of: the items of a job by how they stand, the origins of a sweep as a grid.

import { get } from "./api.js";
import { clamped, count, h, instant, status, sync, took, until } from "./view.js";

const SHOWN = 50;
const ORIGINS = 1000;

/** Draws the parts that are at an address, each time that they are loaded. */
export function partsIn(place, at, signal) {
  const grid = gridIn();
  const items = itemsIn((of) => { chosen = of; behind = []; return load(); }, (last) => { if (last) behind.push(last); else behind.pop(); return load(); });
  let chosen = "";
  let behind = []; // the last run of each page that was turned

  async function load() {
    try {
      const { counts } = await get(`${at}?limit=1`, signal);
      const shown = [];
      if (counts.origin) shown.push(grid.draw(await get(`${at}?kind=origin&limit=${ORIGINS}`, signal)));
      if (counts.item) {
        if (!counts.item[chosen]) chosen = "";
        const after = behind.length ? `&after=${encodeURIComponent(behind.at(-1))}` : "";
        shown.push(items.draw(await get(`${at}?kind=item&limit=${SHOWN}${chosen && `&status=${chosen}`}${after}`, signal), chosen, behind.length));
      }
      sync(place, shown);
    } catch (broken) {
      if (!signal.aborted && !place.children.length) throw broken;
    }
  }

  return { load };
}

/** Origins in their order. Each cell says how its run stands, and leads there. */
function gridIn() {
  const title = h("h2");
  const list = h("ol", { class: "grid", "aria-label": "Origins, the earliest first" });
  const node = h("section", {}, title, list);
  const cells = new Map();

  function draw({ counts, parts }) {
    title.textContent = `Origins (${told(counts.origin)})`;
    for (const { run } of parts) {
      const said = JSON.stringify([run.run_id, run.status, run.ended_at, run.rows]);
      if (cells.get(run.host_scope)?.said !== said) cells.set(run.host_scope, { said, node: cell(run) });
    }
    sync(list, parts.map(({ run }) => cells.get(run.host_scope).node));
    return node;
  }

  return { draw };
}

function cell(run) {
  const at = run.host_scope.slice(run.host_scope.lastIndexOf("/") + 1);
  return h("li", { class: run.status },
    h("a", { href: link(run), title: run.error_message || at }, at.replace("T00:00:00Z", "").replace("T", " ").replace(/(:00)?Z$/, "")),
    h("span", {}, run.status.replace("_", " ")),
    h("span", { class: "soft number" }, took(run.started_at, run.ended_at), run.rows ? `, ${count(run.rows)} rows` : ""));
}

/** Items by how they stand: a button a status, and the items that stand as the chosen one says. */
function itemsIn(choose, turn) {
  const title = h("h2");
  const choice = h("div", { class: "row", role: "group", "aria-label": "Which items" });
  const body = h("tbody");
  let last = null;
  const note = h("span", { class: "soft", role: "status" });
  const back = h("button", { type: "button", onclick: () => turn(null) }, "Previous");
  const on = h("button", { type: "button", onclick: () => turn(last) }, "Next");
  const pages = h("div", { class: "row pages" }, back, on, note);
  const head = ["Status", "Item", "Attempts", "Began", "Took", "Reason"];
  const node = h("section", {}, title, choice,
    h("table", { "aria-label": "Items" }, h("thead", {}, h("tr", {}, head.map((each) => h("th", { scope: "col", class: each === "Attempts" || each === "Took" ? "number" : null }, each)))), body), pages);
  const buttons = new Map();
  const rows = new Map();

  function button(of, says, chosen) {
    if (!buttons.has(of)) buttons.set(of, h("button", { type: "button", onclick: () => choose(of) }));
    const each = buttons.get(of);
    each.textContent = says;
    each.setAttribute("aria-pressed", String(of === chosen));
    return each;
  }

  function draw({ counts, parts, truncated }, chosen, page) {
    const all = Object.values(counts.item).reduce((sum, each) => sum + each, 0);
    title.textContent = `Items (${count(all)})`;
    const each = Object.entries(counts.item).map(([of, number]) => button(of, `${of.replace("_", " ")} ${count(number)}`, chosen));
    sync(choice, [button("", `all ${count(all)}`, chosen), ...each]);
    for (const part of parts) {
      const said = JSON.stringify([part.run.run_id, part.run.status, part.run.ended_at, part.run.next_attempt_at]);
      if (rows.get(part.run.host_scope)?.said !== said) rows.set(part.run.host_scope, { said, node: row(part) });
    }
    sync(body, parts.map(({ run }) => rows.get(run.host_scope).node));
    last = parts.at(-1)?.run.run_id;
    pages.hidden = !page && !truncated;
    [back.disabled, on.disabled] = [!page, !truncated];
    note.textContent = `Page ${count(page + 1)}`;
    return node;
  }

  return { draw };
}

function row({ run, attempts, key, entity }) {
  const id = run.host_scope.slice(run.host_scope.lastIndexOf("/") + 1);
  const cells = [
    ["Status", "", status(run.status)],
    ["Item", "name", [h("a", { href: link(run), class: key === null ? "code" : null }, key ?? id.slice(0, 16)), entity && entity !== key && h("span", { class: "soft" }, ` of ${entity}`)]],
    ["Attempts", "number", count(attempts)],
    ["Began", "", instant(run.started_at)],
    ["Took", "number", took(run.started_at, run.ended_at)],
    ["Reason", "error", clamped(reason(run))],
  ];
  return h("tr", {}, cells.map(([label, kind, content]) => h("td", { "data-label": label, class: kind || null }, content)));
}

function reason(run) {
  if (run.status !== "waiting") return run.error_message || "";
  return run.next_attempt_at ? ["goes on ", until(run.next_attempt_at)] : "waits for an answer";
}

function link(run) {
  return `#/runs/${encodeURIComponent(run.run_id)}`;
}

function told(statuses) {
  return Object.entries(statuses).map(([of, number]) => `${count(number)} ${of.replace("_", " ")}`).join(", ");
}
