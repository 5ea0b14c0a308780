// The steps of a run on a line of time.

import { bytes, count, h, span, status, sync } from "./view.js";

const STEPS_SHOWN = 500;

/** The steps on a line of time. A step that has not moved keeps its element, so that the focus stays where it is. */
export function timelineIn(place, open) {
  const title = h("h2");
  const note = h("p", { class: "soft", hidden: true });
  const list = h("ol", { class: "steps" });
  const items = new Map();

  function draw(view) {
    if (!list.isConnected) place.replaceChildren(title, note, list);
    const shown = view.steps.slice(-STEPS_SHOWN);
    title.textContent = `Steps (${count(view.steps.length)})`;
    note.hidden = shown.length === view.steps.length;
    note.textContent = `The last ${count(shown.length)}; ${count(view.steps.length - shown.length)} came before.`;
    const began = Date.parse(view.started_at ?? shown[0].started_at ?? new Date().toISOString());
    const total = Math.max(1, Date.parse(view.ended_at ?? new Date().toISOString()) - began);
    for (const step of shown) {
      const said = JSON.stringify(step);
      if (items.get(step.label)?.said !== said) items.set(step.label, { said, ...item(step, open) });
      items.get(step.label).place(began, total);
    }
    sync(list, shown.map((step) => items.get(step.label).node));
  }

  return { draw };
}

function item(step, open) {
  const from = step.started_at ? Date.parse(step.started_at) : null;
  const bar = h("span", { hidden: from === null });
  const attempts = step.attempts > 1 ? `, attempt ${step.attempts}` : "";
  const lasted = from !== null && step.ended_at ? span(Date.parse(step.ended_at) - from) : "";
  const output = step.output && h("button", { type: "button", class: "quiet", onclick: () => open(step), "aria-label": `Show the output of ${step.label}` }, bytes(step.output.bytes));
  const node = h("li", {},
    h("span", { class: "label" }, step.label),
    h("span", {}, status(step.status)),
    h("div", { class: "track", "aria-hidden": "true" }, bar),
    h("span", { class: "number soft" }, lasted, attempts, " ", output),
    step.failure && h("span", { class: "why" }, `${step.failure.tag}: ${step.failure.message}`));

  function place(began, total) {
    const to = step.ended_at ? Date.parse(step.ended_at) : Date.now();
    bar.style.left = `${Math.min(99, (100 * (from - began)) / total)}%`;
    bar.style.width = `${Math.max(0.5, (100 * (to - from)) / total)}%`;
  }

  return { node, place };
}
