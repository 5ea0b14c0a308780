// One run: what its record says, and its live view.

import { Refused, get, newer, post, stream } from "./api.js";
import { bounded, known, noted } from "./facts.js";
import { partsIn } from "./parts.js";
import { timelineIn } from "./timeline.js";
import { asked, ended, h, nothing, refusal, status, sync, until } from "./view.js";

const PARTS_MS = 1000;
const AGAIN_MS = [500, 1000, 2000, 5000];

export function show(main, signal, runId, link) {
  const at = `/runs/${encodeURIComponent(runId)}`;
  const [badge, facts, actions, waits, metadata, made, steps, bounds, trouble] = Array.from({ length: 9 }, () => h("div"));
  const within = h("span");
  badge.setAttribute("role", "status");
  main.replaceChildren(
    h("nav", { class: "trail", "aria-label": "Where this is" }, h("a", { href: "#/" }, "All runs"), within),
    h("div", { class: "title" }, h("h1", {}, runId), badge), trouble, waits, facts, actions, metadata, made, steps, bounds);
  let run = null;
  let held = null;
  let drawn = null;
  const timeline = timelineIn(steps, (step) => open(step));
  const parts = partsIn(made, `${at}/parts`, signal);

  async function load() {
    run = await get(at, signal);
    draw();
    follow().catch((broken) => signal.aborted || trouble.replaceChildren(refusal(broken)));
    do await parts.load();
    while (!ended(held?.status ?? run.status) && await rested(PARTS_MS));
  }

  /** Some time later, if the page is still there. */
  async function rested(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return !signal.aborted;
  }

  /** Read the stream, and take it up again wherever it breaks off before the run has ended; of one that has, its end. */
  async function follow() {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        for await (const snapshot of stream(`${at}/stream`, signal)) {
          attempt = 0;
          link.textContent = ended(snapshot.status) ? "" : "live";
          if (newer(snapshot.version, held?.version)) {
            const moved = snapshot.status !== held?.status;
            held = snapshot;
            if (moved) run = await get(at, signal);
            draw();
            if (moved) await look();
          }
        }
      } catch (broken) {
        if (signal.aborted) return;
        if (broken instanceof Refused) {
          link.textContent = "";
          return;
        }
      }
      if (ended(held?.status ?? run.status)) break;
      link.textContent = "connection lost, trying again";
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[Math.min(attempt, AGAIN_MS.length - 1)]));
    }
    link.textContent = "";
    if (!signal.aborted) {
      run = await get(at, signal);
      draw();
      await parts.load();
    }
  }

  /** What waits for an answer, if this credential may see it. */
  async function look() {
    try {
      const { awakeables } = await get(`${at}/awakeables`, signal);
      waits.replaceChildren(...(awakeables.length ? [h("h2", {}, "Waits for an answer"), ...awakeables.map(waiting)] : []));
    } catch {
      waits.replaceChildren();
    }
  }

  function draw() {
    const now = held && !ended(run.status) ? held.status : run.status;
    badge.replaceChildren(...(badge.textContent === now.replace("_", " ") ? badge.childNodes : [status(now)]));
    sync(within, within.children.length ? [...within.children] : wholeOf(run));
    facts.replaceChildren(...known(run, now));
    bounds.replaceChildren(...bounded(run));
    if (drawn !== now) actions.replaceChildren(...buttons(now));
    drawn = now;
    if (held?.steps.length) timeline.draw(held);
    else if (held && !made.children.length) steps.replaceChildren(h("h2", {}, "Steps"), nothing(now === "success" ? "None is kept: a run that has succeeded lets go of its journal." : "None so far."));
    metadata.replaceChildren(...noted(held?.metadata ?? {}));
  }

  function buttons(now) {
    const able = [];
    if (!ended(now)) {
      able.push(h("button", { type: "button", class: "harm", onclick: () => stop("run") }, "Stop run"));
      able.push(h("button", { type: "button", class: "harm", onclick: () => stop("pipeline") }, "Stop all of it"));
    }
    if (["failed", "waiting", "partial_failure", "canceled"].includes(now)) able.push(h("button", { type: "button", onclick: rewind }, "Rewind"));
    return able.length ? [h("div", { class: "row" }, able)] : [];
  }

  async function tried(does) {
    trouble.replaceChildren();
    try {
      await does();
    } catch (refused) {
      trouble.replaceChildren(refusal(refused));
    }
  }

  async function stop(scope) {
    const says = scope === "run" ? "The run ends at its next step; what it has recorded is kept." : "All that its pipeline or scope has in flight ends.";
    const reason = await asked({ title: "Stop", says, field: { label: "Reason (optional)" }, does: "Stop", harm: true });
    if (reason === undefined) return;
    await tried(async () => {
      const { run_ids: marked } = await post(`${at}/stop`, JSON.stringify({ scope, reason: reason || null }));
      link.textContent = `${marked.length} marked to stop`;
      run = await get(at, signal);
      draw();
    });
  }

  async function rewind() {
    const says = "The pending work is given up: what it has recorded is dropped, and the next run begins afresh.";
    const reason = await asked({ title: "Rewind", says, field: { label: "Reason", required: true }, does: "Rewind", harm: true });
    if (reason === undefined) return;
    await tried(async () => {
      await post(`${at}/rewind`, JSON.stringify({ reason }));
      link.textContent = "rewound";
      run = await get(at, signal);
      draw();
    });
  }

  async function resolve(awakeable) {
    const says = `The step ${awakeable.label} goes on with this value. It is recorded once, and cannot be taken back.`;
    const payload = await asked({ title: "Answer", says, field: { label: "Value, as JSON", lines: true, required: true }, does: "Answer", value: "true" });
    if (payload === undefined) return;
    await tried(async () => {
      await post(`/awake/${encodeURIComponent(awakeable.token)}`, payload);
      await look();
    });
  }

  function waiting(awakeable) {
    return h("div", { class: "card wait" },
      h("div", {}, h("strong", {}, awakeable.label), " ", h("span", { class: "soft" }, "ends ", until(awakeable.deadline))),
      h("button", { type: "button", class: "main", onclick: () => resolve(awakeable) }, "Answer"));
  }

  async function open(step) {
    await tried(async () => {
      const value = await get(`${at}/output?reference=${encodeURIComponent(step.output.reference)}`, signal);
      const dialog = h("dialog", { "aria-label": `Output of ${step.label}`, onclose: () => dialog.remove() },
        h("h2", {}, step.label), h("pre", { tabindex: "0" }, JSON.stringify(value, null, 2)),
        h("form", { method: "dialog", class: "row" }, h("button", {}, "Close")));
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  return { load };
}

/** The way to the run that this one is an item or an origin of. */
function wholeOf(run) {
  if (!/\/(item|origin)\//.test(run.host_scope ?? "")) return [];
  const whole = run.run_id.slice(0, run.run_id.lastIndexOf("."));
  return [h("a", { href: `#/runs/${encodeURIComponent(whole)}`, class: "code" }, whole)];
}
