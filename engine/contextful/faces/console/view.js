// What every page is made of. Text goes into the page as text, and in no other way.

/** An element: its attributes, listeners under `on…`, and its children, of which texts stay texts. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export function ended(of) {
  return ["success", "failed", "canceled", "partial_failure"].includes(of);
}

export function status(of) {
  return h("span", { class: `status ${of}` }, of.replace("_", " "));
}

/** Make these the children, and touch none that is in its place: whoever has the focus keeps it. */
export function sync(parent, children) {
  children.forEach((child, place) => {
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

const SIZES = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytes(count) {
  let size = 0;
  for (; count >= 1024 && size < SIZES.length - 1; size += 1) count /= 1024;
  return `${size && count < 10 ? count.toFixed(1) : Math.round(count)} ${SIZES[size]}`;
}

export function count(number) {
  return new Intl.NumberFormat("en").format(number);
}

/** A span of time in its two largest units. */
export function span(ms) {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${(ms / 1000).toFixed(seconds < 10 ? 1 : 0)} s`;
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const first = units.findIndex(([, length]) => seconds >= length);
  const [large, small] = [units[first], units[first + 1]];
  const rest = Math.floor((seconds % large[1]) / small[1]);
  return `${Math.floor(seconds / large[1])} ${large[0]}${rest ? ` ${rest} ${small[0]}` : ""}`;
}

const SECOND = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" };
const YEAR = { ...SECOND, year: "numeric" };

export function instant(at) {
  const when = new Date(at);
  const spelled = when.toLocaleString(undefined, when.getFullYear() === new Date().getFullYear() ? SECOND : YEAR);
  return h("time", { datetime: at, title: at }, spelled);
}

/** A term and what is said of it, in a list of facts. */
export function fact(term, ...says) {
  return h("div", {}, h("dt", {}, term), h("dd", {}, says));
}

/** What may be long, at its first lines. */
export function clamped(content) {
  return content && h("div", { class: "clamp", title: typeof content === "string" ? content : null }, content);
}

/** What holds nothing, in words. */
export function nothing(says) {
  return h("p", { class: "card soft" }, says);
}

/** How long something took, or has taken so far: that goes on by itself. */
export function took(from, to) {
  if (!from) return "";
  return to ? span(Date.parse(to) - Date.parse(from)) : h("span", { "data-since": from }, span(Date.now() - Date.parse(from)));
}

/** How long until an instant, counted down. */
export function until(at) {
  return h("span", { "data-until": at, title: at }, countdown(at));
}

function countdown(at) {
  const left = Date.parse(at) - Date.now();
  return left > 0 ? `in ${span(left)}` : "now";
}

setInterval(() => {
  for (const each of document.querySelectorAll("[data-since]")) each.textContent = span(Date.now() - Date.parse(each.dataset.since));
  for (const each of document.querySelectorAll("[data-until]")) each.textContent = countdown(each.dataset.until);
}, 1000);

/** A refusal by its name and sentence, and the clause behind it. */
export function refusal(refused) {
  return h("div", { class: "card refusal", role: "alert" },
    h("p", {}, h("strong", {}, refused.name)),
    h("p", {}, refused.message),
    refused.clause && h("p", {}, "Why: ", clause(refused.clause)));
}

export function clause(id) {
  return h("a", { href: `#/clauses/${id}`, class: "code" }, id);
}

/** Ask a person before something is done; what they answered, or nothing. */
export function asked({ title, says, field, does, harm = false, value = "" }) {
  const input = field && h(field.lines ? "textarea" : "input", { id: "answer", autocomplete: "off", spellcheck: "false", required: field.required });
  if (input) input.value = value;
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" },
      h("h2", { id: "asked" }, title), h("p", {}, says),
      field && [h("label", { for: "answer" }, field.label), input],
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
        h("button", { type: "submit", class: harm ? "harm" : "main" }, does)));
    const dialog = h("dialog", { "aria-labelledby": "asked", onclose: () => { dialog.remove(); resolve(undefined); } }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      resolve(input ? input.value : "");
      dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
