// One run: what its record says, and its live view.

import { Refused, get, newer, post, stream } from "./api.js";
import { partsIn } from "./parts.js";
import { asked, bytes, count, h, instant, refusal, span, status, sync, took, until } from "./view.js";

const STEPS_SHOWN = 500;
const PARTS_MS = 1000;
const AGAIN_MS = [500, 1000, 2000, 5000];

export function show(main, signal, runId, link) {
  const at = `/runs/${encodeURIComponent(runId)}`;
  const [badge, facts, actions, waits, made, steps, metadata, trouble] = Array.from({ length: 8 }, () => h("div"));
  badge.setAttribute("role", "status");
  main.replaceChildren(
    h("p", {}, h("a", { href: "#/" }, "All runs")),
    h("div", { class: "title" }, h("h1", {}, runId), badge), trouble, facts, actions, waits, made, steps, metadata);
  let run = null;
  let held = null;
  let drawn = null;
  const timeline = timelineIn(steps, (step) => open(step));
  const parts = partsIn(made, `${at}/parts`, signal);

  async function load() {
    run = await get(at, signal);
    draw();
    follow();
    do await parts.load();
    while (!ended(held?.status ?? run.status) && await rested(PARTS_MS));
  }

  /** Some time later, if the page is still there. */
  async function rested(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return !signal.aborted;
  }

  /** Read the stream, and take it up again wherever it breaks off before the run has ended. */
  async function follow() {
    for (let attempt = 0; !signal.aborted && !ended(held?.status ?? run.status); attempt += 1) {
      try {
        for await (const snapshot of stream(`${at}/stream`, signal)) {
          attempt = 0;
          link.textContent = "live";
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
    facts.replaceChildren(h("div", { class: "card" }, h("dl", { class: "facts" }, known(run, now))));
    if (drawn !== now) actions.replaceChildren(...buttons(now));
    drawn = now;
    if (held?.steps.length) timeline.draw(held);
    const notes = Object.entries(held?.metadata ?? {}).filter(([key]) => key !== "items" && key !== "of");
    metadata.replaceChildren(...(notes.length ? [h("h2", {}, "Metadata"), h("div", { class: "card" }, h("dl", { class: "facts" }, notes.map(([key, value]) => fact(key, typeof value === "string" ? value : JSON.stringify(value)))))] : []));
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
    return h("div", { class: "card row" },
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

function ended(of) {
  return ["success", "failed", "canceled", "partial_failure"].includes(of);
}

function known(run, now) {
  const of = run.host_scope || [run.pipeline_id, run.table].filter(Boolean).join(" / ");
  return [
    fact("Of", of), fact("Started", instant(run.started_at)), fact("Took", took(run.started_at, ended(now) ? run.ended_at : null)),
    run.next_attempt_at && now === "waiting" && fact("Next attempt", until(run.next_attempt_at)),
    run.rows > 0 && fact("Rows", count(run.rows)), run.bytes > 0 && fact("Bytes", bytes(run.bytes)),
    run.skipped > 0 && fact("Skipped", count(run.skipped)),
    run.error_kind && fact("Error", [run.error_kind, ": ", run.error_message || ""]),
    run.reason && fact("Reason", run.reason),
    run.stop && fact("Stop asked", [instant(run.stop.requested_at), run.stop.reason ? `: ${run.stop.reason}` : ""]),
    fact("Plan", h("span", { class: "code" }, run.plan_ref || "none")), fact("Execution", h("span", { class: "code" }, run.execution_id)),
    run.trace_id && fact("Trace", h("span", { class: "code" }, run.trace_id)), fact("Site", run.site_id),
  ].filter(Boolean);
}

function fact(term, ...says) {
  return h("div", {}, h("dt", {}, term), h("dd", {}, says));
}

/** The steps on a line of time. A step that has not moved keeps its element, so that the focus stays where it is. */
function timelineIn(place, open) {
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
