// Draws what a widget describes, keeps the keyboard's focus, and tells Python what was used. Knows nothing of the game.

// The nodes under `parent` become what `wanted` describes. Those with a key are found again wherever they have moved;
// the rest are matched in order. So nothing that stays is replaced, and focus, hover and open lists survive.
function patch(parent, wanted, pictures) {
  const keyed = new Map();
  const rest = [];
  for (const node of parent.childNodes) {
    if (node.sakuraKey !== undefined) keyed.set(node.sakuraKey, node);
    else rest.push(node);
  }
  let place = parent.firstChild;
  for (const want of wanted) {
    const node = typeof want === "string" ? textNode(rest, want) : elementNode(keyed, rest, want, pictures);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
}

function textNode(rest, words) {
  const index = rest.findIndex((node) => node.nodeType === Node.TEXT_NODE);
  const node = index < 0 ? document.createTextNode("") : rest.splice(index, 1)[0];
  if (node.data !== words) node.data = words;
  return node;
}

function elementNode(keyed, rest, want, pictures) {
  let node;
  if (want.k !== undefined) {
    node = keyed.get(want.k);
    if (node && node.localName !== want.t) node = undefined;
  } else {
    const index = rest.findIndex((other) => other.localName === want.t);
    if (index >= 0) node = rest.splice(index, 1)[0];
  }
  if (!node) {
    node = document.createElement(want.t);
    node.sakuraKey = want.k;
    node.sakuraHas = {};
  }
  setAttributes(node, want.a || {});
  node.sakuraUsable = Boolean(want.u);
  if (want.p !== undefined) setPicture(node, pictures[want.p]);
  else patch(node, want.c || [], pictures);
  // A list's value is only known once its options are there.
  if (want.t === "select" && want.a.value !== node.sakuraValue) node.value = node.sakuraValue = want.a.value;
  return node;
}

function setAttributes(node, attributes) {
  const has = node.sakuraHas;
  for (const name of Object.keys(has)) {
    // What a person unfolded stays so.
    if (!(name in attributes) && name !== "open") {
      node.removeAttribute(name);
      if (name === "checked") node.checked = false;
    }
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (has[name] === value) continue;
    if (name === "value" && node.localName === "input") node.value = node.sakuraSent = value;
    else if (name === "checked") node.checked = true;
    else node.setAttribute(name, value);
  }
  node.sakuraHas = attributes;
}

function setPicture(node, svg) {
  if (node.sakuraPicture === svg) return;
  node.sakuraPicture = svg;
  node.innerHTML = svg; // our own drawing
}

const CONTROLS = "button, select, input, summary";
const NO_ANSWER = "No answer from Python yet. If it is not busy elsewhere, run this cell again.";
const GONE =
  "Python was restarted or has stopped, so nothing here answers. Run the cells above and this cell again, " +
  "or load the page again if it has no cells.";

function render({ model, el }) {
  const root = document.createElement("section");
  root.className = "sakura";
  root.tabIndex = -1; // a click anywhere in it brings the keys here
  const style = document.createElement("style");
  const live = document.createElement("p");
  live.className = "sakura-live";
  live.setAttribute("role", "status");
  const body = document.createElement("div");
  body.tabIndex = -1;
  body.className = "sakura-body";
  const top = document.createElement("div");
  top.className = "sakura-top";
  top.append(live);
  root.append(style, top, body);
  el.append(root);

  let timer;
  let patience;
  let version;
  let timed = false;
  let onScreen = false;
  let lost = false;
  // A page that never had a Python behind it. So the widgets of Jupyter mark it, wherever they are shown.
  const alone = el.classList.contains("jupyter-widgets-disconnected");

  function send(key, value) {
    clearTimeout(patience);
    patience = setTimeout(() => tell(NO_ANSWER), 8000);
    timed = key === "after";
    const message = { key, version: model.get("shown").version };
    if (value !== undefined) message.value = value;
    try {
      if (alone) lose();
      else model.send(message);
    } catch {
      lose(); // the way to Python is gone
    }
  }

  function lose() {
    lost = true;
    clearTimeout(timer);
    clearTimeout(patience);
    tell(GONE);
  }

  // A screen reader says the same words again only if they differ.
  function tell(words) {
    live.textContent = words && words === live.textContent ? `${words}\u00a0` : words;
    live.classList.toggle("sakura-whole", lost);
    // What has no room is read by pointing there, or with the keyboard.
    if (live.scrollHeight > live.clientHeight + 1) live.tabIndex = 0;
    else live.removeAttribute("tabindex");
  }

  function draw() {
    const shown = model.get("shown");
    const active = root.getRootNode().activeElement;
    const had = body.contains(active) ? active : null;
    const group = had && had.closest("[data-arrows]");
    const index = group ? buttonsOf(group).indexOf(had) : -1;
    const erred = errorLine();
    root.setAttribute("aria-label", shown.label);
    // The picture that stands in for this widget, for as long as the widget itself is in the page.
    style.textContent = `.sakura-stands-for-${shown.id} { display: none; }`;
    still(had, () => {
      patch(body, [shown.tree], model.get("pictures"));
      body.querySelectorAll("[data-arrows]").forEach((row) => rove(row));
    });
    // Nobody is torn away, by mere time, from what they are at.
    const busy = timed && had && had !== body && had.isConnected && !group;
    if (had) keepFocus(had, group, index, busy ? null : shown.focus, shown.bring);
    placeError(had);
    if (shown.version === version) return; // only the pictures changed
    version = shown.version;
    clearTimeout(patience);
    lost = false;
    if (shown.say) tell(shown.say);
    else if (erred || [NO_ANSWER, GONE].includes(live.textContent.trim())) tell("");
    goOn();
  }

  // What a person is at stays where it is on the screen, whatever the change does to the page above and below it.
  function still(node, change) {
    const around = [];
    for (let each = node; each && root.contains(each); each = each.parentElement) around.push([each, topOf(each)]);
    const seen = around.length && topOf(node) < window.innerHeight && node.getBoundingClientRect().bottom > 0;
    change();
    if (!seen) return;
    root.style.minHeight = root.style.marginTop = "";
    const [kept, was] = around.find(([each]) => each.isConnected);
    for (const box of scrollers()) box.scrollTop += topOf(kept) - was;
    const rest = topOf(kept) - was;
    // A page too short to scroll so far is made longer.
    if (rest < -1) root.style.marginTop = `${-rest}px`;
    if (rest > 1) {
      root.style.minHeight = `${root.offsetHeight + rest}px`;
      for (const box of scrollers()) box.scrollTop += topOf(kept) - was;
    }
  }

  const topOf = (node) => node.getBoundingClientRect().top;

  // What can be scrolled around the widget, the innermost first.
  function scrollers() {
    const found = [];
    for (let box = root.parentNode; box; box = box.parentNode || box.host) {
      if (box instanceof Element && /auto|scroll/.test(getComputedStyle(box).overflowY)) found.push(box);
    }
    return [...new Set([...found, document.scrollingElement])];
  }

  const errorLine = () => body.querySelector(":scope > .sakura-view > .sakura-error");

  // An error lies over the line at the top; where that is out of sight, at what was used.
  function placeError(used) {
    const line = errorLine();
    if (!line) return;
    line.style.top = "";
    const edges = scrollers().map((box) => (box === document.scrollingElement ? 0 : topOf(box)));
    if (!used || !used.isConnected || used === body || topOf(top) >= Math.max(...edges)) return;
    const above = topOf(used) - line.offsetHeight - 6;
    line.style.top = `${(above < Math.max(...edges) ? used.getBoundingClientRect().bottom + 6 : above) - topOf(root)}px`;
  }

  // Time passes only for what is on the screen.
  function goOn() {
    const { after } = model.get("shown");
    clearTimeout(timer);
    if (after !== null && onScreen && !lost) timer = setTimeout(() => send("after"), after);
  }

  function keepFocus(had, group, index, wanted, bring) {
    const places = [...body.querySelectorAll(`${CONTROLS}, [tabindex="-1"]`)];
    const find = (key) => key && places.find((node) => node.sakuraKey === key);
    let next = find(wanted) || find(had.sakuraKey) || (had.isConnected && had);
    if (!next && group && group.isConnected) {
      const left = buttonsOf(group);
      next = left[Math.min(index, left.length - 1)];
    }
    next = next || body;
    if (next !== root.getRootNode().activeElement) next.focus({ preventScroll: true });
    if (bring && next === find(wanted)) next.scrollIntoView({ block: "nearest" });
  }

  const buttonsOf = (row) => [...row.querySelectorAll("button")];

  // One button of a row takes part in the order of Tab.
  function rove(row, current) {
    const buttons = buttonsOf(row);
    const chosen = current || buttons.find((node) => node.tabIndex === 0 && node.sakuraRoved) || buttons[0];
    for (const node of buttons) {
      node.tabIndex = node === chosen ? 0 : -1;
      node.sakuraRoved = node === chosen;
    }
  }

  body.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-arrows]");
    if (row && event.target.localName === "button") rove(row, event.target);
  });

  // Keys pressed in here are meant for nothing else: elsewhere an x cuts the cell, and an arrow leaves it. They are
  // caught on the way down, where some programs listen already. What the browser itself does with a key it still does.
  function onKey(event) {
    const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    if (saves || event.key === "Tab" || event.key === "Escape" || !event.composedPath().includes(root)) return;
    event.stopPropagation();
    const node = event.composedPath()[0];
    if (event.key === "Enter" && node.type === "text") {
      event.preventDefault();
      node.sakuraSent = node.value;
      sendValue(node, node.value);
    }
    const row = node.localName === "button" && node.closest("[data-arrows]");
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = neighbour(buttonsOf(row), node, event.key);
    if (next !== undefined) event.preventDefault();
    if (next) next.focus();
  }

  function neighbour(buttons, here, key) {
    const index = buttons.indexOf(here);
    if (key === "Home") return buttons[0];
    if (key === "End") return buttons[buttons.length - 1];
    if (key === "ArrowRight") return buttons[(index + 1) % buttons.length];
    if (key === "ArrowLeft") return buttons[(index + buttons.length - 1) % buttons.length];
    if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
    const from = here.getBoundingClientRect();
    const down = key === "ArrowDown" ? 1 : -1;
    let best = null;
    let least = Infinity;
    for (const other of buttons) {
      const box = other.getBoundingClientRect();
      const rows = (box.top - from.top) * down;
      if (rows < from.height / 2) continue;
      const distance = rows * 10 + Math.abs(box.left - from.left);
      if (distance < least) [best, least] = [other, distance];
    }
    return best;
  }

  body.addEventListener("click", (event) => {
    const node = event.target.closest("button");
    if (!node) return;
    node.focus({ preventScroll: true }); // not every browser does that
    if (node.dataset.filename) save(node.dataset.filename, node.dataset.content);
    else if (node.sakuraUsable) send(node.sakuraKey);
  });

  body.addEventListener("change", async (event) => {
    const node = event.target;
    if (!node.sakuraUsable) return;
    if (node.type === "checkbox") send(node.sakuraKey, node.checked);
    else if (node.type === "file") {
      if (node.files.length) send(node.sakuraKey, await node.files[0].text());
      node.value = ""; // so that the same file can be chosen again
    } else if (node.value !== node.sakuraSent) sendValue(node, node.value);
  });

  function sendValue(node, value) {
    if (node.localName === "select") node.sakuraValue = value;
    // What is to be seen; if Python refuses it, the old value differs and comes back.
    node.sakuraHas = { ...node.sakuraHas, value };
    send(node.sakuraKey, value);
  }

  function save(filename, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    link.download = filename;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const watcher = new IntersectionObserver((entries) => {
    onScreen = entries[entries.length - 1].isIntersecting;
    goOn();
  });
  watcher.observe(root);
  window.addEventListener("keydown", onKey, true);
  model.on("change:shown change:pictures", draw);
  model.on("comm_live_update comm:close", lose);
  draw();
  if (alone) lose();
  return () => {
    clearTimeout(timer);
    clearTimeout(patience);
    watcher.disconnect();
    window.removeEventListener("keydown", onKey, true);
    model.off("change:shown change:pictures", draw);
    model.off("comm_live_update comm:close", lose);
  };
}

export default { render };
