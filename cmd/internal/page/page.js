"use strict";
(() => {
  const all = [...document.querySelectorAll("#list > details")];
  const texts = all.map(() => null); // made when first searched
  const q = document.getElementById("q"), form = document.getElementById("filter"), shown = document.getElementById("shown");

  function filter() {
    const word = q.value.trim().toLowerCase();
    const kinds = new Set([...form.querySelectorAll("input[type=checkbox]:checked")].map((b) => b.name));
    let n = 0;
    all.forEach((d, i) => {
      let on = kinds.has(d.dataset.kind);
      if (on && word) {
        texts[i] ??= d.textContent.toLowerCase();
        on = texts[i].includes(word);
      }
      d.hidden = !on;
      n += on;
    });
    shown.value = n + " of " + all.length + " shown";
  }
  let timer;
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 80); });
  form.addEventListener("submit", (e) => e.preventDefault());
  filter();

  // A link to a state opens it, whatever the filter says.
  function open() {
    const d = document.getElementById(location.hash.slice(1));
    if (!d || d.tagName !== "DETAILS") return;
    d.hidden = false;
    d.open = true;
    d.querySelector("summary").focus({ preventScroll: true });
    d.scrollIntoView({ block: "center" });
  }
  addEventListener("hashchange", open);
  open();

  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); q.focus(); }
  });

  const theme = document.getElementById("theme"), root = document.documentElement;
  theme.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    theme.setAttribute("aria-pressed", String(!dark));
  });

  const box = document.getElementById("graph"), svg = box && box.querySelector("svg");
  if (!svg) return;
  const whole = svg.viewBox.baseVal, full = { x: whole.x, y: whole.y, w: whole.width, h: whole.height };
  svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
  let v = { ...full };
  const draw = () => svg.setAttribute("viewBox", [v.x, v.y, v.w, v.h].join(" "));
  function zoom(by, fx = 0.5, fy = 0.5) {
    const w = Math.min(full.w * 2, Math.max(120, v.w / by)), h = v.h * (w / v.w);
    v = { x: v.x + (v.w - w) * fx, y: v.y + (v.h - h) * fy, w, h };
    draw();
  }
  const move = (dx, dy) => { v.x += dx * v.w; v.y += dy * v.h; draw(); };
  const reset = () => { v = { ...full }; draw(); };
  box.addEventListener("wheel", (e) => {
    e.preventDefault();
    const r = box.getBoundingClientRect();
    zoom(e.deltaY < 0 ? 1.15 : 1 / 1.15, (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
  }, { passive: false });
  box.addEventListener("keydown", (e) => {
    const keys = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": reset, ArrowLeft: () => move(-0.1, 0),
      ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1) };
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  let from = null, moved = false;
  box.addEventListener("pointerdown", (e) => { from = e; moved = false; });
  addEventListener("pointerup", () => { from = null; });
  box.addEventListener("pointermove", (e) => {
    if (!from) return;
    const r = box.getBoundingClientRect(), scale = Math.max(v.w / r.width, v.h / r.height);
    const dx = e.clientX - from.clientX, dy = e.clientY - from.clientY;
    if (!moved && Math.abs(dx) + Math.abs(dy) < 5) return;
    moved = true;
    v.x -= dx * scale; v.y -= dy * scale; from = e; draw();
  });
  box.addEventListener("click", (e) => { if (moved) e.preventDefault(); }, true);
  box.addEventListener("dragstart", (e) => e.preventDefault());
  for (const b of document.querySelectorAll("[data-zoom]"))
    b.addEventListener("click", () => (b.dataset.zoom === "0" ? reset() : zoom(Number(b.dataset.zoom))));
})();
