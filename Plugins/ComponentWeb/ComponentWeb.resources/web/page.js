"use strict";
// Keeps a page as it is on the server, and posts forms without leaving the page. Everything works without this script,
// too: buttons then post forms, and a page shows what has changed when it is loaded again.

/** Returns a new element. Texts are never read as markup. */
function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

// MARK: - Changes

/** Returns the element with the views of a view: itself or the first one in it. */
function containerOf(element) {
    return element?.matches("[data-c]") ? element : element?.querySelector("[data-c]") ?? null;
}

function hostOf(target) {
    return [...document.querySelectorAll("[data-view]")].find((host) => host.dataset.view === target);
}

/** Returns the element of a view. An operation that leads nowhere was made for another state of the page. */
function elementAt(target, path) {
    let element = hostOf(target)?.lastElementChild;
    for (const index of path) element = containerOf(element)?.children[index];
    if (!element) throw new RangeError(`no view ${target} ${path}`);
    return element;
}

/** Makes elements of the server's HTML, in which nothing runs. */
function parse(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
}

function only(html) {
    const content = parse(html);
    if (content.childElementCount !== 1) throw new RangeError("not one element");
    return content.firstElementChild;
}

/** Puts an element in front of another one; a browser that can keeps what a person does with it. */
function place(parent, element, before) {
    if (parent.moveBefore && element.isConnected && parent.isConnected) parent.moveBefore(element, before);
    else parent.insertBefore(element, before);
}

const operations = {
    replace: (target, path, html) => replace(elementAt(target, path), only(html)),
    update(target, path, html) {
        const old = elementAt(target, path);
        const element = only(html);
        const [from, to] = [containerOf(old), containerOf(element)];
        if (!from !== !to) throw new RangeError("another container");
        const restore = keep(old);
        old.before(element);
        while (from?.firstElementChild) place(to, from.firstElementChild, null);
        old.remove();
        restore(element);
    },
    insert(target, path, index, html) {
        const container = containerOf(elementAt(target, path));
        if (!container || index > container.childElementCount) throw new RangeError("no place");
        container.insertBefore(only(html), container.children[index] ?? null);
    },
    remove: (target, path, index) => elementAt(target, [...path, index]).remove(),
    move(target, path, from, to) {
        const element = elementAt(target, [...path, from]);
        const parent = element.parentElement;
        // It counts as taken out before it is added.
        place(parent, element, parent.children[to < from ? to : to + 1] ?? null);
    },
    part(target, html) {
        const host = hostOf(target);
        if (!host) throw new RangeError(`no part ${target}`);
        fill(host, parse(html));
    },
    section(name, html) {
        const old = [...document.querySelectorAll("[data-section]")].find((one) => one.dataset.section === name);
        if (!old) throw new RangeError(`no section ${name}`);
        replace(old, only(html));
    },
    title(text) {
        document.getElementById("title").textContent = text;
        document.title = `${text} – ${document.body.dataset.site}`;
    },
    page(title, html, header) {
        replace(document.getElementById("page"), only(html));
        fill(document.getElementById("bar"), parse(header));
        operations.title(title);
    },
};

/** Puts other elements in the place of those in an element. */
function fill(host, content) {
    const restore = keep(host);
    host.replaceChildren(content);
    restore(host);
}

function replace(old, element) {
    const restore = keep(old);
    // What a section shows stays until its next state is there, as after a restart of the host.
    const shown = [...old.querySelectorAll('[data-state="shown"]')];
    for (const next of element.querySelectorAll('[data-state="loading"]')) {
        const section = shown.find((one) => one.dataset.section === next.dataset.section);
        if (section) next.replaceWith(section);
    }
    old.replaceWith(element);
    restore(element);
}

/** Makes the operations of an event; takes the page anew if one does not fit. */
async function apply({ revision, ops }) {
    // A page that was taken anew may have what an event says that was still on its way.
    if (revision <= Number(document.getElementById("main").dataset.revision) && ops[0]?.[0] !== "page") return;
    const active = document.activeElement;
    try {
        for (const [name, ...values] of ops) {
            if (!Object.hasOwn(operations, name)) throw new RangeError(`no operation ${name}`);
            operations[name](...values);
        }
        document.getElementById("main").dataset.revision = revision;
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        await reload();
    }
    // What was moved has lost the focus.
    if (active !== document.body && active?.isConnected && document.activeElement !== active) {
        active.focus({ preventScroll: true });
    }
    syncTabs();
    watchLists();
    announce(ops);
}

/** Takes the page from the server as it is now. */
async function reload() {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    const text = await response.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const element = page.getElementById("page");
    // The page is gone, or a sign-in is needed.
    if (!response.ok || !element) return location.reload();
    replace(document.querySelector(".bar"), document.adoptNode(page.querySelector(".bar")));
    replace(document.getElementById("page"), document.adoptNode(element));
    document.title = page.title;
    syncTabs();
    watchLists();
}

// MARK: - What a person does

const isTyped = (field) =>
    field.type === "checkbox"
        ? field.checked !== field.defaultChecked
        : field.localName === "select"
          ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected))
          : field.value !== field.defaultValue;

/** What tells a button or link from others in its section. */
const nameOf = (element) => [element.localName, element.getAttribute("form"), element.value, element.href].join("\n");

const foldName = (fold) => fold.closest("[data-section]")?.dataset.section + fold.firstElementChild?.textContent;

/** Returns a function that brings into the next state of an element what a person has done with this one. */
function keep(old) {
    const typed = [...old.querySelectorAll(":is(input, textarea, select)[id]")].filter(isTyped);
    // What nobody has touched is here as well: of several with a name, each keeps its own state.
    const folds = [...old.querySelectorAll("details")]
        .map((one) => [foldName(one), one.open === ("open" in one.dataset) ? null : one.open]);
    const scrolls = [...old.querySelectorAll(".scroll")].map((one) => [one.scrollLeft, one.scrollTop]);
    const players = [...old.querySelectorAll("video, audio")].map((one) => [one, !one.paused]);
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const selection = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
    const alike = (root) =>
        [...root.querySelectorAll(active.localName)].filter((one) => nameOf(one) === nameOf(active));
    const rank = active ? alike(old).indexOf(active) : -1;
    return (element) => {
        for (const field of typed) {
            const next = field.isConnected ? null : document.getElementById(field.id);
            if (!next || !element.contains(next) || next.type !== field.type) continue;
            if (field.type === "checkbox") next.checked = field.checked;
            else next.value = field.value;
        }
        for (const next of element.querySelectorAll("details")) {
            const index = folds.findIndex(([name]) => name === foldName(next));
            const isOpen = index < 0 ? null : folds.splice(index, 1)[0][1];
            if (isOpen !== null) next.open = isOpen;
        }
        for (const [index, next] of [...element.querySelectorAll(".scroll")].entries()) {
            if (scrolls[index]) [next.scrollLeft, next.scrollTop] = scrolls[index];
        }
        for (const next of element.querySelectorAll("video, audio")) {
            const [player, isPlaying] = players.find(([one]) => !one.isConnected && one.src === next.src) ?? [];
            if (!player) continue;
            next.replaceWith(player);
            if (isPlaying) player.play().catch(() => {});
        }
        if (!active || active.isConnected) return;
        const others = alike(element);
        const next = (active.id && document.getElementById(active.id)) || others[rank] || others.at(-1);
        next?.focus({ preventScroll: true });
        // Fields for numbers and addresses have no selection.
        if (next && selection?.[0] != null) next.setSelectionRange?.(...selection);
    };
}

// MARK: - The stream

let source = null;
let delay = 1000;
let timer = 0;
let isGone = false;
let performing = 0;
// Whether another page is on its way, which a reload would stop.
let isLeaving = false;

function connect() {
    clearTimeout(timer);
    source?.close();
    const { revision } = document.getElementById("main").dataset;
    source = new EventSource(`${document.body.dataset.events}?after=${revision}`);
    source.onopen = () => {
        delay = 1000;
        say("connection", "");
    };
    source.onmessage = (event) => void apply(JSON.parse(event.data)).catch(() => location.reload());
    // The page has been deleted, or the session has ended. What is being performed may have done so, and lead elsewhere.
    source.addEventListener("gone", () => {
        isGone = true;
        source.close();
        reloadIfGone();
    });
    source.onerror = () => {
        say("connection", "Connection lost. Reconnecting…");
        // A browser tries again by itself, except after an answer that is not a stream.
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(connect, delay);
        delay = Math.min(delay * 2, 30_000);
    };
}

function reloadIfGone() {
    if (isGone && performing === 0 && !isLeaving) location.reload();
}

function reconnect() {
    if (!document.hidden && source?.readyState !== EventSource.OPEN) connect();
}

if (document.body.dataset.events) {
    connect();
    addEventListener("online", reconnect);
    addEventListener("offline", () => say("connection", "No network. The page may be out of date."));
    document.addEventListener("visibilitychange", reconnect);
    // A browser that shows the page again from memory has an old state of it.
    addEventListener("pagehide", () => source.close());
    addEventListener("pageshow", (event) => event.persisted && connect());
}

// MARK: - What is said

/** Says something in one of the regions that screen readers read out; nothing for an empty text. */
function say(id, text, isProblem = false) {
    const region = document.getElementById(id);
    region.hidden = text === "" && id === "connection";
    if (region.textContent === text && text === "") return;
    if (id === "connection") region.textContent = text;
    else if (text === "") region.replaceChildren();
    else {
        const close = make("button", { type: "button", className: "button small", textContent: "Close" });
        close.onclick = () => region.replaceChildren();
        const note = make("div", { className: isProblem ? "note failure toast" : "note success toast" });
        note.append(make("p", { textContent: text }), close);
        region.replaceChildren(note);
    }
}

const news = make("p", { className: "unseen" });
news.setAttribute("aria-live", "polite");
document.body.append(news);
let lastNews = 0;

/** Says which sections have changed, but not again and again. */
function announce(ops) {
    if (Date.now() - lastNews < 10_000) return;
    const names = new Set();
    for (const [, target] of ops) {
        const heading = document.getElementById(`heading-${target}`);
        if (heading) names.add(heading.textContent);
    }
    if (names.size === 0) return;
    lastNews = Date.now();
    news.textContent = `Updated: ${[...names].join(", ")}`;
}

/** Asks a question; the answer is whether to go on. */
function ask(question, answer) {
    if (!window.HTMLDialogElement) return Promise.resolve(confirm(question));
    const no = make("button", { className: "button", value: "no", textContent: "Cancel", autofocus: true });
    const yes = make("button", { className: "button primary", value: "yes", textContent: answer });
    const text = make("p", { id: "question", textContent: question });
    const form = make("form", { method: "dialog" }, text, make("div", { className: "actions" }, no, yes));
    const dialog = make("dialog", { className: "ask" }, form);
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "question");
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.onclose = () => {
            dialog.remove();
            resolve(dialog.returnValue === "yes");
        };
    });
}

// MARK: - Forms

document.addEventListener("submit", (event) => {
    const form = event.target;
    // Not form.action, which is the button with this name.
    const { pathname, origin } = new URL(form.getAttribute("action") ?? "", location.href);
    if (form.method !== "post" || origin !== location.origin || !/^\/pages\/[^/]+\/perform$/.test(pathname)) return;
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("button[type=submit]");
    if (!button?.ariaBusy) void perform(form, button);
});

async function perform(form, button, isConfirmed = false) {
    const label = button?.textContent.trim() || "OK";
    if (button?.dataset.confirm && !isConfirmed && !(isConfirmed = await ask(button.dataset.confirm, label))) return;
    const body = new URLSearchParams(new FormData(form));
    if (button) body.append(button.name, button.value);
    if (isConfirmed) body.append("confirmed", "yes");
    clearProblems(form);
    say("status", "");
    if (button) button.ariaBusy = "true";
    performing += 1;
    try {
        const response = await fetch(form.getAttribute("action"), {
            method: "POST", body, headers: { Accept: "application/json" },
        });
        // The session has ended, or its token is another one.
        if (response.status === 401 || response.status === 403) return location.reload();
        const answer = await response.json();
        if (answer.confirm && !isConfirmed) {
            if (await ask(answer.confirm, label)) await perform(form, button, true);
        } else if (answer.page) {
            isLeaving = true;
            location.assign(answer.url);
        } else if (answer.field) {
            showProblem(form, answer.field, answer.reason);
        } else if (!response.ok) {
            showProblem(form, null, answer.text ?? answer.message ?? "That did not work.");
        } else {
            form.reset();
            say("status", answer.message ?? "");
        }
    } catch {
        say("status", "The server cannot be reached. Nothing may have been done.", true);
    } finally {
        if (button) button.ariaBusy = null;
        performing -= 1;
        reloadIfGone();
    }
}

function clearProblems(form) {
    form.querySelectorAll(".problem, .form-problem").forEach((one) => one.remove());
    for (const field of form.querySelectorAll("[aria-invalid]")) {
        field.removeAttribute("aria-invalid");
        const rest = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id.startsWith("h-"));
        if (rest.length > 0) field.setAttribute("aria-describedby", rest.join(" "));
        else field.removeAttribute("aria-describedby");
    }
}

/** Shows what is wrong with a field, or with the whole form if it has no such field. */
function showProblem(form, name, reason) {
    const field = name === null ? null : form.elements.namedItem(`field.${name}`);
    if (field instanceof Element) {
        const id = `p-${field.id.slice(2)}`;
        field.closest(".field").append(make("p", { id, className: "problem", textContent: reason }));
        const helps = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
        field.setAttribute("aria-describedby", [...helps, id].join(" "));
        field.setAttribute("aria-invalid", "true");
        reveal(field);
        field.focus();
    } else if (form.matches(".form")) {
        const text = make("p", { textContent: reason });
        const note = make("div", { className: "note failure form-problem", tabIndex: -1 }, text);
        note.setAttribute("role", "alert");
        form.querySelector(".fields").before(note);
        reveal(note);
        note.focus();
    } else say("status", reason, true);
}

/** Shows the tab and unfolds the section that an element is in. */
function reveal(element) {
    for (let outer = element; outer; outer = outer.parentElement) {
        if (outer.localName === "details") outer.open = true;
        if (outer.matches(".tab") && outer.hidden) select(outer.closest(".tabs"), outer);
    }
}

// MARK: - Long lists

const listEnds = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && void showMore(entry.target)),
    { rootMargin: "0px 0px 300px" },
);

/** Watches the buttons at the ends of lists of which there is more. */
function watchLists() {
    listEnds.disconnect();
    if (!document.body.dataset.events) return;
    for (const button of document.querySelectorAll('button[data-more=""]')) listEnds.observe(button);
}

/** Performs what a button at the end of a list offers; once, since its next state is another button. */
async function showMore(button) {
    if (button.ariaBusy || !button.form) return;
    button.dataset.more = "asked";
    const body = new URLSearchParams(new FormData(button.form));
    body.append(button.name, button.value);
    // If that fails, the button is still there.
    const headers = { Accept: "application/json" };
    await fetch(button.form.getAttribute("action"), { method: "POST", body, headers }).catch(() => {});
}

// MARK: - Where a reader is

/** Tells components what a reader does on the page: which section is read, and which tab is shown. */
function tell(kind, section, name = "") {
    const token = document.querySelector("#page input[name=token]")?.value;
    const { events } = document.body.dataset;
    if (!events || !token || !section) return;
    const body = new URLSearchParams({ token, kind, section, name });
    fetch(events.replace(/events$/, "happened"), { method: "POST", body, keepalive: true }).catch(() => {});
}

/** Returns the name of the section in the middle of the window, or of the last one at the end of the page. */
function sectionInView() {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const line = isAtEnd ? innerHeight : innerHeight / 2;
    // One that floats has no place of its own.
    const sections = [...document.querySelectorAll("[data-section]")].filter((one) => one.getClientRects().length > 0);
    return sections.findLast((one) => one.getBoundingClientRect().top <= line)?.dataset.section;
}

let sectionRead = sectionInView();
let scrollTimer = 0;

document.addEventListener("scroll", () => {
    clearTimeout(scrollTimer);
    scrollTimer = setTimeout(() => {
        const section = sectionInView();
        if (section === sectionRead) return;
        sectionRead = section;
        tell("scrolledTo", section);
    }, 300);
}, { passive: true });

// MARK: - Tabs

let lastTab = 0;
/** The titles of the chosen tabs, by section and place. */
const chosen = new Map();

const panelsOf = (tabs) => [...containerOf(tabs).children].filter((one) => one.matches(".tab"));
const titleOf = (panel) => panel.querySelector(".tab-title").textContent;

function keyOf(tabs) {
    const host = tabs.closest("[data-view]");
    return `${host.dataset.view}\n${[...host.querySelectorAll(".tabs")].indexOf(tabs)}`;
}

/** Makes lists of the titles of tabs, also where tabs have come, gone or changed. */
function syncTabs() {
    for (const tabs of document.querySelectorAll(".tabs")) {
        const panels = panelsOf(tabs);
        let list = tabs.querySelector(":scope > [role=tablist]");
        if (!list) {
            list = make("div", { role: "tablist", onkeydown: moveTab });
            tabs.prepend(list);
        }
        const titles = panels.map(titleOf);
        if (titles.join("\n") !== [...list.children].map((one) => one.textContent).join("\n")) {
            list.replaceChildren(...titles.map((title) => {
                const id = `tab-${++lastTab}`;
                const button = make("button", { type: "button", role: "tab", id, textContent: title });
                button.onclick = () => {
                    const isOther = button.ariaSelected !== "true";
                    select(tabs, panelsOf(tabs)[[...list.children].indexOf(button)]);
                    if (isOther) tell("switched", tabs.closest("[data-view]").dataset.view.split("/")[0], title);
                };
                return button;
            }));
        }
        const shown = panels.find((panel) => titleOf(panel) === chosen.get(keyOf(tabs)));
        if (panels.length > 0) select(tabs, shown ?? panels[0], false);
        tabs.dataset.ready = "";
    }
}

function select(tabs, panel, isChoice = true) {
    const buttons = tabs.querySelector(":scope > [role=tablist]").children;
    for (const [index, other] of panelsOf(tabs).entries()) {
        const button = buttons[index];
        const isShown = other === panel;
        other.hidden = !isShown;
        other.id ||= `panel-${button.id}`;
        other.role = "tabpanel";
        other.setAttribute("aria-labelledby", button.id);
        button.setAttribute("aria-controls", other.id);
        button.ariaSelected = String(isShown);
        button.tabIndex = isShown ? 0 : -1;
    }
    if (isChoice) chosen.set(keyOf(tabs), titleOf(panel));
}

function moveTab(event) {
    const buttons = [...event.currentTarget.children];
    const index = buttons.indexOf(document.activeElement);
    const steps = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    if (index < 0 || !(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = buttons.at(steps[event.key] % buttons.length);
    next.focus();
    next.click();
}

// MARK: - Wide tables

/** The tab key stops only at tables that have to be scrolled. */
function markWideTables() {
    for (const place of document.querySelectorAll(".scroll[role=group]")) {
        if (place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight) place.tabIndex = 0;
        else place.removeAttribute("tabindex");
    }
}

// The page gets another size whenever a table does.
new ResizeObserver(markWideTables).observe(document.body);

syncTabs();
watchLists();
reveal(document.querySelector("[autofocus]"));
