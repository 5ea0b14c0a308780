// What the console asks of the face that serves it.

const KEY = "contextful-token";

export function token() {
  return sessionStorage.getItem(KEY);
}

export function keep(given) {
  if (given) sessionStorage.setItem(KEY, given);
  else sessionStorage.removeItem(KEY);
}

/** A refusal of the contract, or of the face. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.message || `the answer was ${status}`);
    this.status = status;
    this.name = answer.refusal || "Refused";
    this.clause = answer.clause;
  }
}

async function send(path, options) {
  const headers = { authorization: `Bearer ${token()}`, ...options.headers };
  const answer = await fetch(path, { ...options, headers, cache: "no-store" });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

export async function get(path, signal) {
  return (await send(path, { signal })).json();
}

export async function post(path, body) {
  return (await send(path, { method: "POST", body, headers: { "content-type": "application/json" } })).json();
}

/** The snapshots of a run, up to the last that the connection brings. */
export async function* stream(path, signal) {
  const answer = await send(path, { signal, headers: { accept: "text/event-stream" } });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
  }
}

/** Whether a version is above the highest that is held: by epoch first, then by counter. */
export function newer(version, held) {
  if (!held) return true;
  const [epoch, before] = [Date.parse(version.epoch), Date.parse(held.epoch)];
  return epoch > before || (epoch === before && version.counter > held.counter);
}
