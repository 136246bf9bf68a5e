"use strict";
// What is said to people, what they are asked, and forms, which are posted without leaving the page.

/** Icons as the server draws them (Icons.swift). */
const shapes = {
    check: "m5 12.5 4.5 4.5L19 7.5",
    close: "m6 6 12 12M18 6 6 18",
    failure: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.5v5.5M12 16h.01",
};

function icon(name) {
    return only(
        `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor"
            stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
            ><path d="${shapes[name]}"/></svg>`);
}

/** The words as a sentence: people wrote them for people, but some for a line in a log. */
function sentence(text) {
    const words = text.trim();
    const start = /^[a-z]+[ ,]/.test(words) ? words[0].toUpperCase() + words.slice(1) : words;
    return /[\p{L}\p{N})"”]$/u.test(start) ? `${start}.` : start;
}

// MARK: - What is said

/** Says something in a region that screen readers read out; nothing for an empty text. */
function say(text, isProblem = false, ...links) {
    const region = document.getElementById("status");
    if (text === "") return region.replaceChildren();
    const words = make("p", {}, text, ...links.flatMap((link) => [" ", link]));
    const close = make("button", { type: "button", className: "close", ariaLabel: "Close" }, icon("close"));
    const name = isProblem ? "note failure toast" : "note success toast";
    const toast = make("div", { className: name }, icon(isProblem ? "failure" : "check"), words, close);
    close.onclick = () => {
        toast.remove();
        document.getElementById("main").focus({ preventScroll: true });
    };
    region.replaceChildren(toast);
    if (!isProblem) fade(toast);
}

/** Takes a text away some time after the person has done something else, and not while it is looked at. */
function fade(toast) {
    const end = () => (toast.matches(":hover, :focus-within") ? later() : toast.remove());
    const later = () => setTimeout(end, limits.toast);
    const stop = new AbortController();
    for (const sign of ["pointermove", "keydown", "scroll", "touchstart"]) {
        addEventListener(sign, () => (stop.abort(), later()), { signal: stop.signal, passive: true });
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

/** Asks a question, which may have a sentence after it; the answer is whether to go on. */
function ask(question, answer, isDestructive = false) {
    if (!window.HTMLDialogElement) return Promise.resolve(confirm(question));
    const [, title, more] = /^(.*?\?)\s+(\S[\s\S]*)$/.exec(question) ?? [null, question, ""];
    const no = make("button", { className: "button", value: "no", textContent: "Cancel", autofocus: true });
    const name = isDestructive ? "button destructive" : "button primary";
    const yes = make("button", { className: name, value: "yes", textContent: answer });
    const form = make("form", { method: "dialog" }, make("h2", { id: "question", textContent: title }));
    if (more) form.append(make("p", { id: "more", textContent: more }));
    form.append(make("div", { className: "actions" }, no, yes));
    const dialog = make("dialog", { className: "ask" }, form);
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "question");
    if (more) dialog.setAttribute("aria-describedby", "more");
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

const submitOf = (form) => form.querySelector("button[type=submit]");

document.addEventListener("submit", (event) => {
    const form = event.target;
    // Not form.action, which is the button with this name.
    const { pathname, origin } = new URL(form.getAttribute("action") ?? "", location.href);
    if (form.method !== "post" || origin !== location.origin || !/^\/pages\/[^/]+\/perform$/.test(pathname)) return;
    event.preventDefault();
    const button = event.submitter ?? submitOf(form);
    if (!button?.ariaBusy) void perform(form, button);
});

// What was wrong the last time is no longer shown beside what the browser itself says is wrong now.
document.addEventListener("invalid", (event) => event.target.form && clearProblems(event.target.form), true);

/** The field that has been changed while its form was being posted. */
let changedField = null;

// A form that consists of a choice is posted as soon as that is made.
document.addEventListener("change", ({ target }) => {
    if (!target.closest("[data-submits]") || !target.form?.matches(":valid")) return;
    if (submitOf(target.form)?.ariaBusy) changedField = target.id;
    else target.form.requestSubmit();
});

/** Returns the words on a button, without those for people who do not see which of many it is. */
function labelOf(button) {
    const copy = button?.cloneNode(true);
    copy?.querySelectorAll(".unseen").forEach((one) => one.remove());
    return copy?.textContent.trim() || "OK";
}

const isDestructive = (button) => button?.dataset.role === "destructive" || button?.matches(".destructive");

/** How often in a row the server did not know the session of a form. */
let refusals = 0;

async function perform(form, button, isConfirmed = false) {
    const confirm = (question) => ask(question, labelOf(button), isDestructive(button));
    if (button?.dataset.confirm && !isConfirmed && !(isConfirmed = await confirm(button.dataset.confirm))) return;
    const body = new URLSearchParams(new FormData(form));
    if (button) body.append(button.name, button.value);
    if (isConfirmed) body.append("confirmed", "yes");
    clearProblems(form);
    say("");
    if (button) button.ariaBusy = "true";
    performing += 1;
    let isLate = false;
    const patience = setTimeout(() => {
        isLate = true;
        say("There is no answer yet. What you have filled in stays here.", true);
    }, limits.answer);
    try {
        const headers = { Accept: "application/json" };
        const response = await request(form.getAttribute("action"), { method: "POST", body, headers }, limits.action);
        const answer = await response.json().catch(() => ({}));
        clearTimeout(patience);
        if (isLate) say("");
        refusals = response.status === 403 ? refusals + 1 : 0;
        if (response.status === 401) {
            if (!isAnythingTyped()) return location.reload();
            const link = make("a", { href: "/sign-in", target: "_blank", textContent: "Sign in" });
            showProblem(form, null, "You are signed out. Sign in, then send it again here.", link);
        } else if (response.status === 403) {
            const reason = await renewForm(answer);
            if (reason) showProblem(form, null, reason);
        } else if (answer.confirm && !isConfirmed) {
            if (await confirm(answer.confirm)) await perform(currentOf(form), button, true);
        } else if (answer.page) {
            isLeaving = true;
            location.assign(answer.url);
        } else if (answer.field) {
            showProblem(form, answer.field, answer.reason);
        } else if (!response.ok) {
            showProblem(form, null, answer.text ?? answer.message ?? "That did not work.");
        } else {
            for (const field of form.elements) kept.fields.delete(field.id);
            if (!changedField) {
                currentOf(form).reset();
                foldSent(currentOf(form));
            }
            say(answer.message ?? "");
        }
    } catch (error) {
        say(
            error.name === "TimeoutError"
                ? "The server has not answered. Check whether it was done before you send it again."
                : "The server cannot be reached. Nothing may have been done.", true);
    } finally {
        clearTimeout(patience);
        if (button) button.ariaBusy = null;
        performing -= 1;
        leaveIfGone();
        const field = changedField && document.getElementById(changedField);
        changedField = null;
        field?.form?.requestSubmit();
    }
}

/** Takes the page anew after a form was refused because of its session. Returns what to say; null if the page goes. */
async function renewForm(answer) {
    const needsCookies = "This site needs cookies for forms.";
    if (!navigator.cookieEnabled) return needsCookies;
    if (refusals > 1) return answer.cause === "cookies" ? needsCookies : answer.text ?? "That is not allowed.";
    if (await renew()) return "You were away too long. Send it again.";
    return isAnythingTyped() ? "You were away too long, and this page is not there any more." : null;
}

/** Returns the form that has taken the place of another one; that itself if it is still there, or if none has. */
function currentOf(form) {
    if (form.isConnected) return form;
    const id = form.getAttribute("id");
    const field = [...form.elements].find((one) => one.id);
    return (id ? document.getElementById(id) : field && document.getElementById(field.id)?.form) ?? form;
}

/** Folds a form that was sent, if it is the only one there: what it has led to is beside it. */
function foldSent(form) {
    const fold = form.closest("details.fold");
    if (!fold || "open" in fold.dataset || fold.querySelectorAll(".form").length > 1) return;
    const hadFocus = fold.contains(document.activeElement);
    fold.open = false;
    if (hadFocus) fold.querySelector("summary").focus();
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
function showProblem(old, name, reason, ...links) {
    const form = currentOf(old);
    const field = name === null ? null : form.elements.namedItem(`field.${name}`);
    if (field instanceof Element) {
        const id = `p-${field.id.slice(2)}`;
        field.closest(".field").append(make("p", { id, className: "problem", textContent: sentence(reason) }));
        const helps = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
        field.setAttribute("aria-describedby", [...helps, id].join(" "));
        field.setAttribute("aria-invalid", "true");
        reveal(field);
        field.focus();
    } else if (form.isConnected && form.matches(".form")) {
        const text = make("p", {}, sentence(reason), ...links.flatMap((link) => [" ", link]));
        const note = make("div", { className: "note failure form-problem", tabIndex: -1 }, icon("failure"), text);
        note.setAttribute("role", "alert");
        form.querySelector(".fields").before(note);
        reveal(note);
        note.focus();
    } else say(sentence(reason), true, ...links);
}

/** Shows the tab and unfolds the section that an element is in. */
function reveal(element) {
    for (let outer = element; outer; outer = outer.parentElement) {
        if (outer.localName === "details") outer.open = true;
        if (outer.matches(".tab") && outer.hidden) select(outer.closest(".tabs"), outer);
    }
}
