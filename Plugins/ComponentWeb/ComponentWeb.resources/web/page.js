"use strict";
// Keeps a page as it is on the server. Everything works without scripts, too: buttons then post forms, and a page shows
// what has changed when it is loaded again.
//
// The first of three scripts, which share what they declare: forms.js has what is said, asked and posted; reading.js
// has what helps to read, and starts everything.

/** How long is waited for what, in milliseconds. */
const limits = {
    // An answer of the server.
    answer: 15_000,
    // An action, which may take longer; after the time above, the person is told so.
    action: 60_000,
    // A window that is hidden keeps its stream for so long. A browser has few connections to one server.
    hidden: 10_000,
    // What is said of a success.
    toast: 6_000,
    // What is said of a connection that is back.
    back: 2_000,
};

/** Returns a new element. Texts are never read as markup. */
function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

/** Sends a request whose answer is not waited for without end. */
function request(url, options = {}, limit = limits.answer) {
    return fetch(url, { ...options, signal: AbortSignal.timeout(limit) });
}

// MARK: - Changes

/** Returns the element with the views of a view: itself or the first one in it. */
function containerOf(element) {
    return element?.matches("[data-c]") ? element : element?.querySelector("[data-c]") ?? null;
}

/** Returns what a change of the page replaces; all of a document that is no page. */
const pageElement = () => document.getElementById("page") ?? document.body;

function hostOf(target) {
    return [...document.querySelectorAll("[data-view]")].find((host) => host.dataset.view === target);
}

function sectionNamed(name, root = document) {
    return [...root.querySelectorAll("[data-section]")].find((one) => one.dataset.section === name);
}

/** Returns the element of a view. An operation that leads nowhere was made for another state of the page. */
function elementAt(target, path) {
    const host = hostOf(target);
    if (host?.closest("[data-section]")?.ariaBusy) throw new RangeError(`an old state of ${target}`);
    let element = host?.lastElementChild;
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

/** The elements that an event has brought or changed. */
let changed = [];

const operations = {
    replace(target, path, html) {
        const element = only(html);
        replace(elementAt(target, path), element);
        changed.push(element);
    },
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
        changed.push(element);
    },
    insert(target, path, index, html) {
        const container = containerOf(elementAt(target, path));
        if (!container || index > container.childElementCount) throw new RangeError("no place");
        const element = only(html);
        container.insertBefore(element, container.children[index] ?? null);
        changed.push(element);
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
        const restore = keep(host);
        host.replaceChildren(parse(html));
        restore(host);
    },
    section(name, html) {
        const old = sectionNamed(name);
        if (!old) throw new RangeError(`no section ${name}`);
        const element = only(html);
        if (staysFor(element, old)) stay(old, element);
        else replace(old, element);
    },
    title(text) {
        document.getElementById("title").textContent = text;
        document.title = `${text} – ${document.body.dataset.site}`;
    },
    page(title, html, header) {
        advance(pageElement(), only(html));
        const bar = document.getElementById("bar");
        if (bar && header !== undefined) {
            const next = bar.cloneNode(false);
            next.append(parse(header));
            advance(bar, next);
        }
        operations.title(title);
    },
};

function replace(old, element) {
    const restore = keep(old);
    old.replaceWith(element);
    restore(element);
}

/** Whether a section is left as it is while its next state is not known, with what a person does there. */
const staysFor = (next, old) => next.dataset.state === "loading" && old.dataset.state === "shown";

/** Leaves a section as it is, but for the token of its forms, which may be that of another session now. */
function stay(old, next) {
    old.ariaBusy = "true";
    const token = next.querySelector("input[name=token]")?.value;
    if (!token) return;
    for (const field of old.querySelectorAll("input[name=token]")) field.value = token;
}

/** Puts the next state of several sections in the place of the one that is shown. */
function advance(old, element) {
    const restore = keep(old);
    // Both are there for a moment, so that sections can be moved from one to the other without losing their state.
    old.before(element);
    for (const next of element.querySelectorAll("[data-section]")) {
        const section = sectionNamed(next.dataset.section, old);
        if (!section || !staysFor(next, section)) continue;
        stay(section, next);
        place(next.parentElement, section, next);
        next.remove();
    }
    old.remove();
    restore(element);
}

/** Makes the operations of an event; takes the page anew if one does not fit. */
async function apply({ revision, ops }) {
    // A page that was taken anew may have what an event says that was still on its way.
    if (revision <= Number(document.getElementById("main").dataset.revision) && ops[0]?.[0] !== "page") return;
    const active = document.activeElement;
    const heir = heirOf(active);
    changed = [];
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
    const rows = changed;
    refresh();
    if (active && active !== document.body && document.activeElement !== active) {
        // What was moved has lost the focus, too.
        if (active.isConnected) active.focus({ preventScroll: true });
        else if (document.activeElement === document.body) heir()?.focus();
    }
    highlight(rows);
    announce(ops);
}

/** Brings what the scripts add to a page to its next state. */
function refresh() {
    syncTabs();
    syncTables();
    showTimes();
    watchLists();
    addCopyButtons();
}

/**
 * Takes the page from the server as it is now, with another token if the session is another one.
 *
 * Returns whether there is such a page. If not, the browser shows the server's answer, unless text would be lost.
 */
async function reload() {
    const response = await request(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // The page is gone, or a sign-in is needed.
    if (!response.ok || !page.getElementById("page")) {
        if (!isAnythingTyped()) location.reload();
        return false;
    }
    for (const part of ["#page", ".bar"]) {
        advance(document.querySelector(part), document.adoptNode(page.querySelector(part)));
    }
    document.title = page.title;
    refresh();
    return true;
}

// MARK: - What a person does

/** What a person has done with parts of the page that are not there now, until they are back. */
const kept = { fields: new Map(), folds: new Map(), scrolls: new Map() };

const isTyped = (field) =>
    field.type === "checkbox"
        ? field.checked !== field.defaultChecked
        : field.localName === "select"
          ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected))
          : field.value !== field.defaultValue;

const fieldsIn = (root) => [...root.querySelectorAll(":is(input, textarea, select)[id]")];

const isAnythingTyped = () => kept.fields.size > 0 || fieldsIn(pageElement()).some(isTyped);

/** What tells a button or link from others in its section. */
const nameOf = (element) => [element.localName, element.getAttribute("form"), element.value, element.href].join("\n");

/** Returns the elements of a kind in another one, each with a name that it has in the next state, too. */
function named(root, selector, nameOf = () => "") {
    if (!root.querySelector(selector)) return [];
    const ranks = new Map();
    const found = [];
    for (const element of (root.closest("[data-section]") ?? root).querySelectorAll(selector)) {
        const name = `${element.closest("[data-section]")?.dataset.section}\n${nameOf(element)}`;
        const rank = ranks.get(name) ?? 0;
        ranks.set(name, rank + 1);
        if (root.contains(element)) found.push([`${name}\n${rank}`, element]);
    }
    return found;
}

// What nobody has touched is counted as well: of several with a name, each keeps its own state.
const foldsIn = (root) => named(root, "details", (fold) => fold.firstElementChild?.textContent);

/** Returns a function that brings into the next state of an element what a person has done with this one. */
function keep(old) {
    for (const field of fieldsIn(old)) {
        if (!isTyped(field)) continue;
        const value = field.type === "checkbox" ? field.checked : field.value;
        kept.fields.set(field.id, { type: field.type, value });
    }
    for (const [name, fold] of foldsIn(old)) {
        if (fold.open === ("open" in fold.dataset)) kept.folds.delete(name);
        else kept.folds.set(name, fold.open);
    }
    for (const [name, one] of named(old, ".scroll")) {
        if (one.scrollLeft || one.scrollTop) kept.scrolls.set(name, [one.scrollLeft, one.scrollTop]);
        else kept.scrolls.delete(name);
    }
    const players = [...old.querySelectorAll("video, audio")].map((one) => [one, !one.paused]);
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const selection = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
    const alike = (root) =>
        [root, ...root.querySelectorAll(active.localName)].filter((one) => nameOf(one) === nameOf(active));
    const rank = active ? alike(old).indexOf(active) : -1;
    return (element) => {
        for (const [id, { type, value }] of kept.fields) {
            const next = document.getElementById(id);
            if (!next || !element.contains(next) || next.type !== type) continue;
            kept.fields.delete(id);
            if (type === "checkbox") next.checked = value;
            else if (next.value !== value) next.value = value;
        }
        for (const [name, next] of foldsIn(element)) {
            if (kept.folds.has(name)) next.open = kept.folds.get(name);
            kept.folds.delete(name);
        }
        for (const [name, next] of named(element, ".scroll")) {
            if (kept.scrolls.has(name)) [next.scrollLeft, next.scrollTop] = kept.scrolls.get(name);
            kept.scrolls.delete(name);
        }
        for (const next of element.querySelectorAll("video, audio")) {
            const [player, isPlaying] = players.find(([one]) => !one.isConnected && one.src === next.src) ?? [];
            if (!player) continue;
            next.replaceWith(player);
            if (isPlaying) player.play().catch(() => {});
        }
        if (!active || active.isConnected) return;
        const others = alike(element);
        const next = (active.id && document.getElementById(active.id)) || others[rank] || others.at(-1)
            // A button that does something else now, such as one that pauses and resumes.
            || (active === old && element.localName === old.localName ? element : null);
        next?.focus({ preventScroll: true });
        // Fields for numbers and addresses have no selection.
        if (next && selection?.[0] != null) next.setSelectionRange?.(...selection);
    };
}

const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const controlsIn = (root) =>
    [root, ...root.querySelectorAll(controls)]
        .filter((one) => one.matches(controls) && !one.disabled && one.checkVisibility());

/**
 * Returns a function that finds what gets the focus of an element that has gone: the same in the next row, else in the
 * one before, else the heading of its section.
 */
function heirOf(active) {
    if (!active?.closest("#page")) return () => null;
    const row = active.closest("[data-c] > *");
    const rows = row ? [...row.parentElement.children] : [];
    const index = rows.indexOf(row);
    const rank = row ? controlsIn(row).indexOf(active) : -1;
    const section = active.closest("[data-section]")?.dataset.section;
    return () => {
        for (const other of [...rows.slice(index + 1), ...rows.slice(0, Math.max(index, 0)).reverse()]) {
            const found = other.isConnected ? controlsIn(other) : [];
            if (found.length > 0) return found[rank] ?? found.at(-1);
        }
        const place = sectionNamed(section);
        const heading = place?.querySelector("h2, h3, h4, h5, h6") ?? place ?? document.getElementById("main");
        heading.tabIndex = -1;
        return heading;
    };
}

// MARK: - The stream

let source = null;
let delay = 1000;
let timer = 0;
let hideTimer = 0;
let backTimer = 0;
/** Since when there is no connection; null if there is one. */
let lostAt = null;
let isGone = false;
// Whether the last answer to a stream was that the session is unknown.
let wasUnknown = false;
let performing = 0;
// Whether another page is on its way, which a reload would stop.
let isLeaving = false;

/** Follows the page from the revision that it has. */
function connect() {
    if (!document.body.dataset.events) return;
    clearTimeout(timer);
    source?.close();
    const { revision } = document.getElementById("main").dataset;
    const stream = new EventSource(`${document.body.dataset.events}?after=${revision}`);
    source = stream;
    stream.onopen = () => {
        delay = 1000;
        wasUnknown = false;
        setFound();
    };
    stream.onmessage = async (event) => {
        try {
            await apply(JSON.parse(event.data));
        } catch {
            // The page begins anew with the next connection.
            document.getElementById("main").dataset.revision = "";
            if (source === stream) connectLater();
        }
    };
    // The page has been deleted, or the session has ended. What is being performed may have done so and lead elsewhere.
    stream.addEventListener("gone", () => {
        isGone = true;
        stream.close();
        leaveIfGone();
    });
    stream.onerror = () => {
        // A browser tries again by itself, except after an answer that is not a stream.
        if (stream.readyState === EventSource.CLOSED) void askWhy(stream);
        else setLost();
    };
}

function connectLater(wait = 0) {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(connect, Math.max(wait, delay));
    delay = Math.min(delay * 2, 30_000);
}

/** Says why there is no stream, and tries again later. */
async function askWhy(stream) {
    let wait = 0;
    try {
        const headers = { Accept: "application/json" };
        const response = await request(document.body.dataset.events, { headers, cache: "no-store" });
        if (source !== stream) return;
        if (response.ok) void response.body?.cancel();
        else {
            const { text, code } = await response.json();
            if (response.status === 401 && !isAnythingTyped()) return location.reload();
            // The answer has brought another session, whose token the forms need.
            if (code === "noSession" && !wasUnknown) {
                wasUnknown = true;
                if (!await reload()) return;
            } else if (text) setLost(text);
            wait = 1000 * Number(response.headers.get("Retry-After"));
        }
    } catch {
        setLost();
    }
    if (source === stream) connectLater(wait);
}

/** Reads the page again that is not followed any more. */
function leaveIfGone() {
    if (!isGone || performing > 0 || isLeaving) return;
    isGone = false;
    if (!isAnythingTyped()) return location.reload();
    void renew().catch(() => false).then((isThere) => isThere || setLost("This page is gone."));
}

/** Takes the page anew, with the token of the session that there is now. Returns whether there is such a page. */
async function renew() {
    if (!await reload()) return false;
    connect();
    return true;
}

/** Says that the page may be out of date, and since when. */
function setLost(reason) {
    lostAt ??= new Date();
    document.body.dataset.connection = "lost";
    const time = lostAt.toTimeString().slice(0, 5);
    const cause = navigator.onLine ? "Connection lost" : "No network";
    const usual = `${cause} since ${time}. The page may be out of date.`;
    showBanner(reason ? `${reason} This page is as it was at ${time}.` : usual, true);
}

function setFound() {
    document.body.dataset.connection = "open";
    if (!lostAt) return;
    lostAt = null;
    showBanner("Up to date again.");
    clearTimeout(backTimer);
    backTimer = setTimeout(() => lostAt || showBanner(""), limits.back);
}

function showBanner(text, isLost = false) {
    const banner = document.getElementById("connection");
    // What has been read out already is not said again.
    if (banner.dataset.text === text) return;
    banner.dataset.text = text;
    banner.hidden = text === "";
    banner.replaceChildren(make("span", { textContent: text }));
    if (isLost) banner.append(make("button", { type: "button", textContent: "Try now", onclick: connect }));
}

const isOpen = () => source?.readyState === EventSource.OPEN;

/** Ends the stream of a window that nobody sees, and begins it again when it is shown. */
function followVisibility() {
    clearTimeout(hideTimer);
    if (document.hidden) hideTimer = setTimeout(pause, limits.hidden);
    else if (!isOpen()) connect();
}

function pause() {
    clearTimeout(timer);
    source?.close();
    source = null;
    if (!lostAt) document.body.dataset.connection = "paused";
}

function follow() {
    if (!document.body.dataset.events) return;
    if (document.hidden) pause();
    else connect();
    document.addEventListener("visibilitychange", followVisibility);
    addEventListener("online", () => document.hidden || isOpen() || connect());
    // Whether the server can be reached all the same, as one on this machine can, is seen when it is tried.
    addEventListener("offline", () => document.hidden || connect());
    addEventListener("pagehide", pause);
    // A browser that shows the page again from memory has an old state of it.
    addEventListener("pageshow", (event) => {
        if (!event.persisted) return;
        isLeaving = false;
        followVisibility();
    });
}
