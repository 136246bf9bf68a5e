"use strict";
// What helps people to read a page: tabs, boxes that filter tables, times in the reader's zone, long lists, copies of
// code. The last of the three scripts, which starts all of them.

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

// MARK: - Tables

/** Above how many rows a table has a box that filters them; a phone shows so many of them at first. */
const manyRows = 20;
/** What the scripts have added to tables, by the names of these. */
const filters = new Map();

/** Adds boxes that filter to long tables, also where tables have come or changed. */
function syncTables() {
    for (const [name, table] of named(pageElement(), ".table")) {
        const body = table.querySelector("tbody[data-c]");
        let filter = filters.get(name);
        const isLong = body?.childElementCount > manyRows || filter?.field.value;
        if (!isLong) {
            filter?.box.remove();
            filter?.more.remove();
            continue;
        }
        if (!filter) filters.set(name, filter = makeFilter(table));
        if (filter.box.parentElement !== table) {
            table.prepend(filter.box);
            table.querySelector(".scroll").after(filter.more);
        }
        filterRows(filter, body);
    }
}

function makeFilter(table) {
    const headings = ":is(:scope, :scope > .fold > summary) > :is(h2, h3, h4, h5, h6)";
    const heading = table.closest(".card, .tab, [data-section]")?.querySelector(headings)
        ?? document.getElementById("title");
    const field = make("input", { type: "search", dir: "auto", placeholder: "Filter", autocomplete: "off" });
    field.ariaLabel = `Filter ${heading.textContent}`;
    const count = make("span", { className: "caption" });
    count.setAttribute("role", "status");
    const more = make("button", { type: "button", className: "button show-all" });
    const filter = { box: make("div", { className: "filter" }, field, count), field, count, more, isWhole: false };
    const update = () => filterRows(filter, filter.box.parentElement.querySelector("tbody[data-c]"));
    field.oninput = update;
    more.onclick = () => {
        filter.isWhole = true;
        update();
        // The button is hidden now; reading goes on with the first row that was.
        const row = filter.box.parentElement.querySelector("tbody[data-c]").children[manyRows];
        row.tabIndex = -1;
        row.focus({ preventScroll: true });
    };
    return filter;
}

/** Shows the rows in which all words are found. */
function filterRows({ field, count, more, isWhole }, body) {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of body.children) {
        const text = words.length > 0 ? row.textContent.toLowerCase() : "";
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) found += 1;
    }
    const counted = words.length > 0 ? `${found} of ${body.childElementCount}` : "";
    if (count.textContent !== counted) count.textContent = counted;
    more.textContent = `Show all ${body.childElementCount}`;
    body.closest(".scroll").toggleAttribute("data-short", words.length === 0 && !isWhole);
}

/** Lets the tab key stop only at tables that have to be scrolled. */
function markWideTables() {
    for (const place of document.querySelectorAll(".scroll[role=group]")) {
        if (place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight) place.tabIndex = 0;
        else place.removeAttribute("tabindex");
    }
}

// The page gets another size whenever a table does.
new ResizeObserver(markWideTables).observe(document.body);

/** Shows for a moment which rows have come or changed; not if that is nearly everything. */
function highlight(elements) {
    const rows = elements.filter((one) => one.matches("tr, .row, .item"));
    if (rows.length > manyRows) return;
    for (const row of rows) {
        row.classList.add("fresh");
        // Without the class, what is shown again later does not seem to have changed then.
        setTimeout(() => row.classList.remove("fresh"), 1500);
    }
}

// MARK: - Times

let today = "";
let shownTimes = new WeakSet();

/** Shows times in the zone of the reader, those of today without the date. */
function showTimes() {
    const now = new Date().toDateString();
    if (now !== today) shownTimes = new WeakSet();
    today = now;
    for (const element of document.querySelectorAll("time[datetime]")) {
        if (shownTimes.has(element)) continue;
        shownTimes.add(element);
        const time = new Date(element.dateTime);
        if (Number.isNaN(time.getTime())) continue;
        const clock = time.toTimeString().slice(0, 8);
        const date = time.toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: "medium" });
        element.title = time.toISOString().replace("T", " ").replace("Z", " UTC");
        element.textContent = time.toDateString() === now
            ? `${clock}.${String(time.getMilliseconds()).padStart(3, "0")}` : `${date}, ${clock}`;
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
    await request(button.form.getAttribute("action"), { method: "POST", body, headers }).catch(() => {});
}

// MARK: - Copies

/** Adds a button to each box with code, such as the answer of a call, that copies it. Browsers allow that over TLS only,
 *  and on the machine itself. */
function addCopyButtons() {
    if (!navigator.clipboard) return;
    for (const box of document.querySelectorAll("pre.code:not(:has(> .copy))")) {
        const button = make("button", { type: "button", className: "button small copy", textContent: "Copy" });
        button.onclick = () => navigator.clipboard.writeText(box.querySelector("code").textContent).then(
            () => say("It is copied."), () => say("The browser does not allow copying.", true));
        box.append(button);
    }
}

// MARK: - Where a reader is

/** Tells components what a reader does on the page: which section is read, and which tab is shown. */
function tell(kind, section, name = "") {
    const token = document.querySelector("#page input[name=token]")?.value;
    const { events } = document.body.dataset;
    if (!events || !token || !section) return;
    const body = new URLSearchParams({ token, kind, section, name });
    request(events.replace(/events$/, "happened"), { method: "POST", body, keepalive: true }).catch(() => {});
}

/** Returns the name of the section in the middle of the window, or of the last one at the end of the page. */
function sectionInView() {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const line = isAtEnd ? innerHeight : innerHeight / 2;
    // One that floats has no place of its own.
    const sections = [...pageElement().querySelectorAll("[data-section]")]
        .filter((one) => one.getClientRects().length > 0);
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

// MARK: - Start

refresh();
reveal(document.querySelector("[autofocus]"));
follow();
