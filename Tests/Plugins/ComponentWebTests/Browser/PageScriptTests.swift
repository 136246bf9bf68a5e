import TestSupport
import Testing

/// Something that the scripts of pages do with a small page of its own.
struct ScriptCase: Sendable {
    let name: String
    /// Statements that return a text.
    let script: String
    let expected: String

    init(_ name: String, _ script: String, expected: String) {
        self.name = name
        self.script = script
        self.expected = expected
    }

    /// Functions that make the markup of pages as the server writes it, and change the page that is shown.
    static let helpers = """
        pause()
        // The server is told nothing about a page that it does not know.
        delete document.body.dataset.events
        document.getElementById('status').replaceChildren()
        document.querySelector('.bar')?.remove()
        window.section = (name, view, state = 'shown') =>
            `<section class="section" data-section="${name}" data-state="${state}"><h2>Of ${name}</h2>
            <div class="view" data-view="${name}">${view}</div><form class="unseen" method="post">
            <input type="hidden" name="token" value="${state}"></form></section>`
        window.row = name => `<li class="row"><a href="/${name}">${name}</a><button>Delete ${name}</button></li>`
        window.list = (...names) => `<div class="list"><ul data-c>${names.map(row).join('')}</ul></div>`
        window.cells = name => `<tr><td>${name}</td><td>1</td></tr>`
        window.table = count => `<div class="table"><div class="scroll"><table><tbody data-c>${
            Array.from({length: count}, (_, index) => cells('row ' + index)).join('')}</tbody></table></div></div>`
        window.form = `<form class="form" method="post" action="/elsewhere"><div class="fields" data-c>
            <div class="field"><input id="f-name" name="field.name" required></div>
            <details><summary>More</summary><p>Text</p></details></div><button type="submit">Send</button></form>`
        window.page = sections => `<div id="page"><main id="main" data-revision="1" tabindex="-1">
            <h1 id="title">T</h1>${sections.join('')}</main></div>`
        window.change = (...ops) => apply({revision: Number(find('#main').dataset.revision) + 1, ops})
        window.show = (...sections) => {
            operations.page('T', page(sections))
            for (const one of [kept.fields, kept.folds, kept.scrolls, filters]) one.clear()
            refresh()
        }
        window.find = selector => document.querySelector(selector)
        window.focused = () => document.activeElement.innerText || document.activeElement.id
        window.type = (selector, text) => {
            find(selector).focus()
            find(selector).value = text
            find(selector).dispatchEvent(new Event('input', {bubbles: true}))
        }
        window.names = selector => [...document.querySelectorAll(selector)].map(each => each.innerText.trim()).join()

        """

    // MARK: - The focus

    static let focus = [
        ScriptCase(
            "the focus stays on a button that has other words or does something else now",
            """
            const button = (name, value) => `<button class="button" value="${value}">${name}</button>`
            show(section('s', `<div class="stack" data-c>${button('Info', 1)}${button('Pause', 2)}</div>`))
            const says = []
            const next = (index, html) => {
                find('.stack').children[index].focus()
                return change(['replace', 's', [index], html]).then(() => says.push(focused()))
            }
            return next(0, button('Info now', 1)).then(() => next(1, button('Resume', 3))).then(() => says.join('|'))
            """, expected: "Info now|Resume"),
        ScriptCase(
            "the focus goes to the same button of the next row",
            """
            show(section('s', list('a', 'b', 'c')))
            find('li:nth-child(2) button').focus()
            return change(['remove', 's', [], 1]).then(focused)
            """, expected: "Delete c"),
        ScriptCase(
            "the focus goes to the same button of the row before if there is none after",
            """
            show(section('s', list('a', 'b', 'c')))
            find('li:nth-child(3) button').focus()
            return change(['remove', 's', [], 2]).then(focused)
            """, expected: "Delete b"),
        ScriptCase(
            "the focus goes to the heading of the section if there is no row any more",
            """
            show(section('r', list('x')), section('s', list('a')))
            find('[data-section=s] li button').focus()
            return change(['replace', 's', [], '<div class="list"><p class="empty">None.</p></div>']).then(focused)
            """, expected: "Of s"),
        ScriptCase(
            "the focus stays where it is if another row goes",
            """
            show(section('s', list('a', 'b', 'c')))
            find('li:nth-child(3) a').focus()
            return change(['remove', 's', [], 0]).then(focused)
            """, expected: "c"),
    ]

    // MARK: - What is kept

    static let kept = [
        ScriptCase(
            "a section stays, with what is typed there, until its next state is known, but has the new token",
            """
            show(section('s', form), section('t', list('a')))
            type('#f-name', 'typed')
            find('details').open = true
            const state = () => [
                names('[data-state=shown] h2'), find('#f-name').value, find('details').open, focused(),
                find('[data-section=s] [name=token]').value, find('[data-section=s]').ariaBusy,
            ].join('|')
            return change(['page', 'T', page([section('s', 'Loading', 'loading'), section('t', list('b'))])])
                .then(() => {
                    const first = state()
                    return change(['section', 's', section('s', form)]).then(() => first + ' ' + state())
                })
            """, expected: "Of s,Of t|typed|true|f-name|loading|true Of s,Of t|typed|true|f-name|shown|"),
        ScriptCase(
            "what was typed and unfolded is there again when its section comes back",
            """
            show(section('s', form), section('t', list('a')))
            type('#f-name', 'typed')
            find('details').open = true
            return change(['page', 'T', page([section('t', list('a'))])])
                .then(() => change(['page', 'T', page([section('s', 'Loading', 'loading')])]))
                .then(() => change(['section', 's', section('s', form)]))
                .then(() => [find('#f-name').value, find('details').open, kept.fields.size].join('|'))
            """, expected: "typed|true|0"),
        ScriptCase(
            "a change of a section that has only stayed is not made in its old state",
            """
            show(section('s', list('a')))
            return change(['section', 's', section('s', 'Loading', 'loading')]).then(() => {
                try { operations.remove('s', [], 0) } catch (error) { return error.name + names('li a') }
                return 'made'
            })
            """, expected: "RangeErrora"),
        ScriptCase(
            "what the page has already is passed over, and a state that is whole counts whatever its number",
            """
            show(section('s', list('a')))
            const insert = revision => apply({revision, ops: [['insert', 's', [], 0, row('r' + revision)]]})
            return insert(5).then(() => insert(5)).then(() => insert(4)).then(() => insert(6)).then(() => {
                const first = names('li a')
                return apply({revision: 2, ops: [['page', 'T', page([section('s', list('b'))])]]})
                    .then(() => [first, names('li a'), find('#main').dataset.revision].join('|'))
            })
            """, expected: "r6,r5,a|b|2"),
        ScriptCase(
            "a table is scrolled as far as before",
            """
            // Elsewhere, the words of a table break where it would be too wide.
            const wide = section('s', `<div class="card">${table(3).replace('row 0', 'wide'.repeat(300))}</div>`)
            show(wide)
            find('.scroll').scrollLeft = 50
            return change(['section', 's', section('s', 'Gone', 'failed')])
                .then(() => change(['section', 's', wide])).then(() => String(find('.scroll').scrollLeft))
            """, expected: "50"),
    ]

    // MARK: - Tables, times and rows that change

    static let tables = [
        ScriptCase(
            "a table of 20 rows has no box that filters",
            "show(section('s', table(20))); return String(document.querySelectorAll('.filter').length)",
            expected: "0"),
        ScriptCase(
            "a box shows the rows with all words in them, also of rows that come, and of the next state of the section",
            """
            show(section('s', table(25)))
            type('.filter input', 'ROW 2')
            const state = () => [names('tbody > :not([hidden])').replaceAll('\\t1', ''), names('.filter'),
                find('.filter input').value, document.activeElement.ariaLabel].join('|')
            const first = state()
            return change(['insert', 's', [], 0, cells('row 2 x')], ['insert', 's', [], 0, cells('other')])
                .then(() => {
                    const second = names('.filter')
                    return change(['section', 's', section('s', table(23))])
                        .then(() => [first, second, state()].join(' / '))
                })
            """,
            expected: "row 2,row 12,row 20,row 21,row 22,row 23,row 24|7 of 25|ROW 2|Filter Of s / 8 of 27 / "
                + "row 2,row 12,row 20,row 21,row 22|5 of 23|ROW 2|Filter Of s"),
        ScriptCase(
            "a long table is short on a phone until all of it is asked for",
            """
            show(section('s', table(25)))
            const isShort = () => find('.scroll').hasAttribute('data-short')
            const first = [isShort(), find('.show-all').textContent].join()
            find('.show-all').click()
            return change(['section', 's', section('s', table(30))]).then(() => first + ' ' + isShort())
            """, expected: "true,Show all 25 false"),
        ScriptCase(
            "a row comes into a table of thousands before the browser loses patience",
            """
            const blank = '<td class="blank">–</td>'.repeat(6)
            show(section('s', table(4000).replaceAll('<td>1</td>', blank)))
            find('main').offsetHeight
            return change(['insert', 's', [], 0, cells('new')])
                .then(() => find('tbody td').innerText + (find('main').offsetHeight > 4000))
            """, expected: "newtrue"),
        ScriptCase(
            "rows that come or change are shown as fresh, but not those of a section that comes",
            """
            show(section('s', list('a', 'b')))
            const next = section('s', list('x'))
            const ops = [['insert', 's', [], 0, row('c')], ['replace', 's', [2], row('d')], ['section', 's', next]]
            return change(...ops).then(() => {
                const first = document.querySelectorAll('.fresh').length
                return change(['insert', 's', [], 0, row('c')], ['replace', 's', [1], row('d')])
                    .then(() => first + names('.fresh a'))
            })
            """, expected: "0c,d"),
    ]

    static let times = [
        ScriptCase(
            "code has one button that copies it, and not what is written on the button",
            """
            show(section('s', '<pre class="code"><code>x < 1</code></pre>'))
            refresh()
            let copied = ''
            navigator.clipboard.writeText = text => { copied = text; return Promise.resolve() }
            find('.copy').click()
            return [names('.copy'), copied].join('|')
            """, expected: "Copy|x < 1"),
        ScriptCase(
            "times of today are in the zone of the reader, without the date",
            """
            const now = new Date()
            now.setHours(3, 4, 5, 6)
            show(section('s', `<p><time datetime="${now.toISOString()}">x</time></p>`))
            const offset = now.getTimezoneOffset()
            return [names('time'), find('time').title === now.toISOString().replace('T', ' ').replace('Z', ' UTC'),
                offset].join('|')
            """, expected: "03:04:05.006|true|-540"),
        ScriptCase(
            "times of other days have their date, also in rows that come",
            """
            show(section('s', list('a')))
            const time = '<time datetime="2026-01-02T16:04:05.006Z">2026-01-02T16:04:05.006Z</time>'
            return change(['insert', 's', [], 0, `<li class="row">${time}</li>`])
                .then(() => [names('time'), find('time').title].join('|'))
            """, expected: "Jan 3, 2026, 01:04:05|2026-01-02 16:04:05.006 UTC"),
        ScriptCase(
            "what is no time stays as it is",
            "show(section('s', '<time datetime=\"soon\">soon</time>')); return names('time')", expected: "soon"),
    ]

    // MARK: - Forms and what is said

    static let forms = [
        ScriptCase(
            "a failure is a sentence with a sign, and goes as soon as the browser finds another one",
            """
            show(section('s', form))
            showProblem(find('.form'), null, 'the name is wrong')
            const first = [names('.form-problem'), document.querySelectorAll('.form-problem > svg').length,
                document.activeElement.className].join('|')
            find('.form').reportValidity()
            return first + ' ' + document.querySelectorAll('.form-problem').length
            """, expected: "The name is wrong.|1|note failure form-problem 0"),
        ScriptCase(
            "what is wrong is shown in the form that has taken the place of the one that was sent",
            """
            show(section('s', form))
            const old = find('.form')
            return change(['section', 's', section('s', form)]).then(() => {
                showProblem(old, 'name', 'This name is "taken"')
                return [names('.problem'), find('#f-name').getAttribute('aria-invalid'), focused()].join('|')
            })
            """, expected: "This name is \"taken\".|true|f-name"),
        ScriptCase(
            "a form that was sent is folded, and its title gets the focus",
            """
            show(section('s', `<details class="fold" open><summary>New</summary>${form}</details>`))
            find('#f-name').focus()
            foldSent(find('.form'))
            return [find('.fold').open, focused()].join('|')
            """, expected: "false|New"),
        ScriptCase(
            "one of several forms stays unfolded when it was sent",
            """
            show(section('s', `<details class="fold" open><summary>Edit</summary>${form}${form}</details>`))
            foldSent(find('.form'))
            return `${find('.fold').open}`
            """, expected: "true"),
        ScriptCase(
            "texts of programs stay as they are",
            "return ['No.', 'why?', 'OwnerLink.x', 'a, b', '{\"a\": 1}'].map(sentence).join(' ')",
            expected: "No. why? OwnerLink.x. A, b. {\"a\": 1}"),
        ScriptCase(
            "a form with one choice is sent when that is made",
            """
            const options = '<option value="">-</option><option>a</option>'
            const choice = `<select id="f-c" name="field.c" required>${options}</select>`
            show(section('s', form.replace(/<input.*required>/, choice).replace('<form', '<form data-submits')))
            const sent = []
            const note = event => { event.preventDefault(); sent.push(new FormData(event.target).get('field.c')) }
            document.addEventListener('submit', note)
            for (const value of ['', 'a']) {
                find('select').value = value
                find('select').dispatchEvent(new Event('change', {bubbles: true}))
            }
            document.removeEventListener('submit', note)
            return sent.join()
            """, expected: "a"),
        ScriptCase(
            "a question has a title, a sentence, and a red button for what destroys something",
            """
            const answer = ask('Delete A? It is gone then.', 'Delete', true)
            const dialog = find('dialog[open]')
            const texts = [names('dialog h2'), names('dialog p'), names('dialog button'), focused()].join('|')
            find('dialog h2').style.color = 'var(--failure)'
            const red = getComputedStyle(find('dialog h2')).color
            const isRed = getComputedStyle(find('dialog [value=yes]')).backgroundColor === red
            find('dialog [value=yes]').click()
            return answer.then(isYes => [texts, isRed, isYes, dialog.isConnected].join(' '))
            """, expected: "Delete A?|It is gone then.|Cancel,Delete|Cancel true true false"),
        ScriptCase(
            "a question without anything after it has no sentence, and Cancel means no",
            """
            const answer = ask('Send it?', 'Send')
            const texts = [names('dialog h2'), names('dialog p'), find('dialog [value=yes]').className].join('|')
            find('dialog [value=no]').click()
            return answer.then(isYes => texts + ' ' + isYes)
            """, expected: "Send it?||button primary false"),
        ScriptCase(
            "the words on a button are asked with, without those for people who do not see its row",
            """
            show(section('s', '<button data-role="destructive">Delete<span class="unseen"> A</span></button>'))
            return labelOf(find('.view button')) + isDestructive(find('.view button'))
            """, expected: "Deletetrue"),
        ScriptCase(
            "a failure is said until somebody closes it",
            """
            say('That is wrong.', true)
            const first = names('#status p')
            find('#status button').click()
            return [first, names('#status p'), focused() === find('#main').innerText].join('|')
            """, expected: "That is wrong.||true"),
    ]
}

@Suite("The scripts of pages in a real browser", .serialized, .enabled(if: WebPlace.isComplete))
struct PageScriptTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test(
        "keep the focus and what a person does, filter tables, show times, ask and report",
        arguments: [ScriptCase.focus, ScriptCase.kept, ScriptCase.tables, ScriptCase.times, ScriptCase.forms])
    func cases(cases: [ScriptCase]) async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.setTimeZone("Asia/Tokyo")
            try await browser.go("\(web.url)/pages/home")
            for each in cases {
                let value = try await browser.run(ScriptCase.helpers + each.script)
                #expect(value as? String == each.expected, "\(each.name): \(value ?? "nothing")")
            }
        }
    }

    @Test("a phone shows the first rows of a long table")
    func phone() async throws {
        try await place.withBrowsers(width: 390) { web, browsers in
            try await browsers[0].go("\(web.url)/pages/home")
            let shown = try await browsers[0].run(
                ScriptCase.helpers + """
                    show(section('s', table(25)))
                    const rows = [...document.querySelectorAll('tbody > tr')]
                    const shown = () => rows.filter(each => each.offsetHeight).length
                    const first = shown()
                    find('.show-all').click()
                    return [first, shown(), find('.show-all').offsetHeight].join()
                    """)
            #expect(shown as? String == "20,25,0")
        }
    }

    @Test("what is said of a success goes some time after the person has done something else")
    func toast() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            try await browser.run("limits.toast = 1; say('Saved.')")
            #expect(try await browser.text("#status .success p") == "Saved.")
            try await browser.run("dispatchEvent(new Event('keydown'))")
            #expect(await browser.has(0, "#status .toast"))
        }
    }

    @Test("a window that is hidden has no stream, and shows what it has missed when it is shown again")
    func hidden() async throws {
        try place.write(page: "desk", #"{"name": "films", "module": "video.library", "title": "Films"}"#)
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/desk")
            #expect(await browser.has(1, "body[data-connection=open] [data-section=films]"))
            try await browser.run("limits.hidden = 1; window.mark = 1")
            try await browser.setHidden(true)
            #expect(await browser.has(1, "body[data-connection=paused]"))
            #expect(try await browser.run("return source === null") as? Bool == true)
            try place.write(page: "desk", #"{"name": "other", "module": "video.library", "title": "Others"}"#)
            try await browser.setHidden(false)
            #expect(await browser.has(1, "body[data-connection=open] [data-section=other]"))
            #expect(await browser.has(0, "[data-section=films]"))
            #expect(try await browser.run("return window.mark") as? Int == 1)
        }
    }

    @Test("a network that goes and comes back is no reason to warn while the server can be reached")
    func offline() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            for event in ["offline", "online"] {
                #expect(await browser.has(1, "body[data-connection=open]"))
                try await browser.run("dispatchEvent(new Event(arguments[0]))", [event])
                #expect(await browser.has(1, "body[data-connection=open] > #connection[hidden]"))
            }
        }
    }

    @Test("a page that has lost its connection says since when, tries again at once if asked, and says that it is back")
    func banner() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            #expect(await browser.has(1, "body[data-connection=open]"))
            try await browser.run("pause(); setLost()")
            let text = try #require(try await browser.text("#connection"))
            #expect(text.contains(/Connection lost since [0-2][0-9]:[0-5][0-9]\./), "\(text)")
            let look = try await browser.run("return getComputedStyle(document.querySelector('main')).filter")
            #expect(look as? String == "grayscale(1)")
            // It would be gone too soon to be seen here.
            try await browser.run("limits.back = 1e6")
            try await browser.click("#connection button")
            #expect(await browser.shows("Up to date again.", in: "#connection"))
            try await browser.run("limits.back = 1; setLost('No.'); setFound()")
            #expect(await browser.has(1, "#connection[hidden]"))
        }
    }

    @Test("a form that was sent without its session keeps what was typed, says so, and can be sent again")
    func session() async throws {
        try await place.withBrowsers(refused: 3) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            // What a reader does would be refused as well.
            try await browser.run("tell = () => {}")
            let form = ".form:has(button[value*=signUp])"
            let (name, password) = ("\(form) [name=\"field.name\"]", "\(form) [name=\"field.password\"]")
            try await browser.type("Ada", into: name)
            try await browser.type("short", into: password)
            for text in ["You were away too long. Send it again.", "This site needs cookies for forms."] {
                try await browser.deleteCookies()
                try await browser.click("\(form) button[type=submit]")
                #expect(await browser.shows(text, in: form))
                let typed = try await browser.run(
                    "return [...arguments].map(each => document.querySelector(each).value).join()", [name, password])
                #expect(typed as? String == "Ada,short")
            }
            // With a session, it is the server that has something against it.
            try await browser.run("return renew()")
            try await browser.click("\(form) button[type=submit]")
            #expect(await browser.has(1, "\(form) [aria-invalid=true]"))
        }
    }
}
