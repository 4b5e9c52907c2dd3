/**
 * What everything within the frame looks like. Each selector is within `:where()`, so it weighs nothing and of two rules the
 * later one wins: elements, then parts, then states. Short properties: `--b` is a faint border, `--e` the color of a button's, `--k`
 * that of links, `--q` the tone of a message.
 */
export const rules: string = `
:where([data-part=frame]) {
container-type: inline-size;
box-sizing: border-box;
inline-size: 100%;
padding: 1.5rem var(--accounts-space);
font: 1rem/1.5 var(--accounts-font);
color: var(--accounts-ink);
overflow-wrap: anywhere;
text-underline-offset: .15em;
:where(*, ::before, ::after) { box-sizing: border-box }
:where(h1, h2, p, ul, ol, pre, fieldset) { margin: 0; padding: 0; border: 0 }
:where(h1) { font-size: 1.5rem; line-height: 1.25; text-wrap: balance; hyphens: auto }
:where(h2) { font-size: 1.0625rem }
:where(ul, ol) { padding-inline-start: 1.25rem }
:where(a) { color: var(--k) }
:where(code, pre) { font-family: ui-monospace, monospace; font-size: .9375em }
:where(pre, [data-part=codes]) { padding: .75rem; background: var(--accounts-ground); border-radius: var(--accounts-radius); white-space: pre-wrap }

:where(main, form, fieldset, details > div, [data-part=field], [data-part=rows], [data-part=list], [data-part=card], [data-part=passkey]) { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--accounts-space) }
:where(header, main, footer) { max-width: var(--accounts-width); margin: 0 auto }
:where(header) { display: flex; gap: var(--accounts-space); align-items: center; justify-content: space-between; padding: 0 .5rem .5rem }
:where(main) { padding: 1.5rem; background: var(--accounts-paper); border: var(--b); border-radius: calc(1.5 * var(--accounts-radius)) }

:where(label, legend, [data-part=label]) { font-weight: 600 }
:where(label:has(+ :is(input, select, textarea, [data-part=secret]))) { margin-block-end: -.75rem }
:where(input, select, textarea, [data-part=secret]) { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--accounts-paper); border: 1px solid var(--accounts-line); border-radius: var(--accounts-radius) }
:where([readonly]) { background: var(--accounts-ground) }
:where([aria-invalid=true], [data-part=secret]:has([aria-invalid=true])) { border: 2px solid var(--accounts-fault) }
:where([type=checkbox], [type=radio]) { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0; accent-color: var(--accounts-accent) }
:where(.hint, .fault) { font-size: .875rem; color: var(--accounts-faint) }
:where(.hint[id], .fault[id]) { margin-block-start: -.75rem }
:where(.fault) { color: var(--accounts-fault); font-weight: 600 }
:where(.check) { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; margin-block: -.5rem; font-weight: 400 }

:where(button, [data-part=button], :is([data-part=site], [data-part=menu], [data-part=back], [data-part=label], [data-part=row-action], [data-part=paging], footer) a) { display: inline-flex; align-items: center; min-width: 2.75rem; min-height: 2.75rem }
:where(button, [data-part=button]) { justify-content: center; justify-self: stretch; gap: .5rem; position: relative; max-width: 100%; margin: 0; padding: .5rem 1.25rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; hyphens: auto; cursor: pointer; color: var(--accounts-on-accent); background: var(--accounts-accent); border: 1px solid var(--e); border-radius: var(--accounts-radius); &:where(:hover) { text-decoration: underline } }
:where([data-part=copy], [data-part=button][data-kind=quiet]) { color: var(--accounts-ink); background: var(--accounts-paper); border-color: var(--accounts-line) }
:where([data-part=button][data-kind=danger]) { color: var(--accounts-paper); background: var(--accounts-fault); border-color: var(--accounts-fault) }
:where([data-part=button][data-kind=link], [data-part=show]) {
justify-self: start; justify-content: start; padding: .5rem 0; color: var(--k); background: none; border-color: transparent; text-align: start; text-decoration: underline;
}
:where(:disabled) { color: var(--accounts-faint); background: var(--accounts-ground); border-color: var(--accounts-hairline); cursor: default }

:where(details) {
border-top: var(--b);
:where(summary) { display: flex; gap: .5rem; align-items: center; min-height: 2.75rem; font-weight: 600; cursor: pointer; list-style: none }
:where(summary)::-webkit-details-marker { display: none }
:where(summary)::after { content: ""; flex: none; width: .45em; height: .45em; margin-inline-start: auto; border: solid; border-width: 0 2px 2px 0; rotate: 45deg }
&:where([open]) > :where(summary)::after { rotate: 225deg }
> :where(:not(summary)) { margin-block: .25rem 1rem }
}
:where([data-part=site]) {
min-width: 0; font-size: 1.125rem; font-weight: 700;
:where(a) { color: inherit; text-decoration: none }
:where(img) { display: block; height: 2rem; max-width: 100%; object-fit: contain; object-position: left }
}
:where([data-part=menu], [data-part=language]) { border: 0; position: relative }
:where([data-part=menu]) {
:where(bdi) { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
> :where(div) { position: absolute; inset-inline-end: 0; z-index: 1; gap: 0; min-width: 12rem; margin: 0; padding: .25rem 1rem; background: var(--accounts-paper); border: 1px solid var(--accounts-line); border-radius: var(--accounts-radius) }
:where(a) { font-weight: 600 }
}
:where([data-part=back]) {
margin-block: -.75rem -1rem; font-size: .9375rem;
:where(a)::before { content: ""; width: .5em; height: .5em; margin-inline-end: .5em; border: solid; border-width: 2px 0 0 2px; rotate: -45deg }
:where([dir=rtl] a)::before { rotate: 45deg }
}
:where(footer, footer form, [data-part=label], [data-part=code], [data-part=actions], [data-part=way]) { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: center }
:where(footer) {
padding: .5rem .5rem 0; font-size: .875rem; color: var(--accounts-faint);
:where(p) { flex-basis: 100%; padding-block-start: .5rem }
:where(a, summary) { font-weight: 400; color: inherit }
}

:where([data-part=field]) { gap: .25rem; > :where(p) { margin: 0 } }
:where([data-part=label]) {
gap: 0 var(--accounts-space); align-items: baseline; justify-content: space-between;
:where(label) { margin: 0 }
:where(a) { margin-block: -.75rem -.375rem; font-size: .875rem; font-weight: 400 }
}
:where([data-part=secret]) { display: flex; padding: 0; :where(input) { flex: 1; min-width: 0; background: none; border: 0 } }
:where([data-part=show]) { flex: none; padding-inline: .75rem }

:where([data-part=notice], [data-part=summary]) { --q: var(--accounts-accent); padding: .75rem 1rem; background: color-mix(in oklab, var(--q) 8%, var(--accounts-paper)); border: 1px solid color-mix(in oklab, var(--q) 30%, var(--accounts-paper)); border-inline-start: 4px solid var(--q); border-radius: var(--accounts-radius) }
:where([data-tone=good]) { --q: var(--accounts-good) }
:where([data-tone=fault], [data-part=summary]) { --q: var(--accounts-fault) }
:where([data-part=notice] > :is(p, form) + *) { margin-block-start: .5rem }

:where([data-part=rows], [data-part=list], [data-part=passkey]) { gap: 0 }
:where([data-part=rows] + [data-part=rows]) { padding-block-start: var(--accounts-space) }
:where([data-part=rows] + [data-part=rows], [data-part=list] > li + li) { border-top: var(--b) }
:where([data-part=list]) { padding-inline-start: 0 }
:where([data-part=list], [data-part=codes]) { list-style: none }
:where([data-part=row]) { display: grid; grid-template: "label action" "value action" / minmax(0, 1fr) fit-content(58%); gap: 0 var(--accounts-space); align-items: center; align-content: center; padding-block: .25rem; min-height: 3.25rem }
:where([data-part=row-label]) { grid-area: label; hyphens: auto }
:where([data-part=row-value]) { grid-area: value }
:where([data-part=row-action]) {
grid-area: action; display: flex; flex-wrap: wrap; gap: 0 var(--accounts-space); justify-content: end;
:where(a) { justify-content: end; font-weight: 600 }
:where([data-kind=quiet], [data-kind=danger]) { padding-inline: .75rem }
}
:where([data-part=name]) { display: -webkit-inline-box; max-width: 100%; overflow: hidden; vertical-align: bottom; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
:where([data-part=badge]) { display: inline-block; padding: 0 .625rem; font-size: .8125rem; font-weight: 600; background: color-mix(in oklab, var(--accounts-ink) 8%, var(--accounts-paper)); border: var(--b); border-radius: 1rem }
:where([data-part=row-label], [data-part=empty], [data-part=or]) { color: var(--accounts-faint) }

:where([data-part=code] code) { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: .06em; line-height: 1.4; user-select: all }
:where([data-part=codes]) { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)) }
:where([data-part=qr]) { justify-self: center; width: 12rem; max-width: 100%; padding: .75rem; background: #fff; border-radius: var(--accounts-radius); > :where(*) { display: block; width: 100%; height: auto } }
:where([data-part=copy]) { justify-self: start; padding: .25rem .75rem }
:where([data-part=code]) { gap: .5rem var(--accounts-space) }
:where([data-part=choices]) { gap: .5rem }
:where([data-part=touch]) { display: none }
:where([data-part=or]) { display: flex; gap: var(--accounts-space); align-items: center; &::before, &::after { content: ""; flex: 1; border-top: var(--b) } }
:where([data-part=card]) { gap: .5rem; align-content: start; padding: var(--accounts-space); border: var(--b); border-radius: var(--accounts-radius) }
:where([data-part=way] > :not([data-part=badge])) { flex: 1 }

:where(:focus-visible, [data-part=secret]:has(input:focus-visible)) { outline: 3px solid var(--accounts-ink); outline-offset: 2px }
:where([data-part=secret] input:focus-visible) { outline: 0 }
:where([data-busy]) { cursor: progress; opacity: .75 }
:where([data-busy])::after { content: ""; position: absolute; inset-inline-end: .25rem; width: .75rem; height: .75rem; border: 2px solid; border-block-start-color: transparent; border-radius: 50%; animation: accounts-turn 1s linear infinite }
:where([hidden], [type=hidden]) { display: none }
}
:where([data-kind=account]) {
:where(header, main, footer) { max-width: calc(var(--accounts-width) * 11 / 6) }
:where(input, select, textarea, [data-part=secret], [data-part=label]) { max-width: 24rem }
:where(button, [data-part=button]) { justify-self: start }
@container (min-width: 40rem) {
:where([data-part=rows]:has(> h2)) { grid-template-columns: 9rem minmax(0, 1fr); gap: var(--accounts-space); > :where(h2) { padding-block: .5rem; font-size: 1rem } > :where(h2 ~ *) { grid-column: 2 } }
:where([data-part=row]) { grid-template: "label value action" / 8rem minmax(0, 1fr) fit-content(18rem) }
}
}
@container (max-width: 25rem) { :where([data-part=frame] main) { padding: 1.25rem 1rem } }
@media (pointer: coarse) { :where([data-part=touch]) { display: block } }
@media (prefers-reduced-motion) { :where([data-busy])::after { animation: none } }
@media (forced-colors: active) { :where([data-part=badge], button, [data-part=button]) { border-color: ButtonBorder } }
@keyframes accounts-turn { to { rotate: 1turn } }
`
