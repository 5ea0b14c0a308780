// Which page is shown, and to whom.

import { get, keep, token } from "./api.js";
import * as run from "./run.js";
import * as runs from "./runs.js";
import { h, refusal } from "./view.js";

const RESTS = 4; // what takes long to look up is looked up as rarely as leaves time for others
const main = document.getElementById("main");
const link = document.getElementById("link");
const leave = document.getElementById("leave");
let page = new AbortController();

/** A credential may come in the address, after the #, which no server sees; it does not stay there. */
function arrive() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!given) return;
  keep(given);
  history.replaceState(null, "", "#/");
}

async function turn() {
  page.abort();
  page = new AbortController();
  const { signal } = page;
  link.textContent = "";
  leave.hidden = !token();
  const [kind, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (kind === "clauses") return clauses(rest[0], signal);
  if (!token()) return enter();
  const shown = kind === "runs" ? run.show(main, signal, rest.join("/"), link) : runs.show(main, signal);
  document.title = kind === "runs" ? `${rest.join("/")} · contextful` : "contextful";
  main.focus({ preventScroll: true });
  for (;;) {
    const began = performance.now();
    try {
      if (!document.hidden) await shown.load();
    } catch (refused) {
      if (signal.aborted) return;
      if (refused.status === 401) return enter(refused);
      main.append(refusal(refused));
      return;
    }
    if (!shown.every || signal.aborted) return;
    const rest = Math.max(shown.every, RESTS * (performance.now() - began));
    await new Promise((resolve) => setTimeout(resolve, rest));
    if (signal.aborted) return;
  }
}

function enter(refused) {
  keep(null);
  leave.hidden = true;
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  main.replaceChildren(
    h("h1", {}, "Sign in"),
    refused ? refusal(refused) : "",
    h("form", { class: "card", onsubmit: (event) => { event.preventDefault(); keep(input.value.trim()); turn(); } },
      h("p", { class: "soft" }, "The console shows what your credential covers. It is kept in this tab, until that is closed."),
      h("label", { for: "token" }, "Credential, from ", h("code", {}, "contextful token mint")),
      h("div", { class: "row" }, input, h("button", { type: "submit", class: "main" }, "Sign in"))));
  input.focus();
}

async function clauses(id, signal) {
  const back = h("p", {}, h("a", { href: "#/", onclick: (event) => { if (history.length > 1) { event.preventDefault(); history.back(); } } }, "Back"));
  try {
    const said = await get(`/clauses/${encodeURIComponent(id)}`, signal);
    main.replaceChildren(back, h("h1", {}, h("span", { class: "code" }, said.id)), h("p", { class: "card" }, linked(said.statement)));
  } catch (refused) {
    if (!signal.aborted) main.replaceChildren(back, refusal(refused));
  }
}

/** A statement, its references to other clauses as links. */
function linked(statement) {
  return statement.split(/(\{\{[a-z0-9.-]+\}\}|`[^`]+`)/).map((part) => {
    if (part.startsWith("{{")) return h("a", { href: `#/clauses/${part.slice(2, -2)}`, class: "code" }, part.slice(2, -2));
    return part.startsWith("`") ? h("code", {}, part.slice(1, -1)) : part;
  });
}

leave.addEventListener("click", () => { keep(null); location.hash = "#/"; turn(); });
window.addEventListener("hashchange", () => { arrive(); turn(); });
arrive();
turn();
