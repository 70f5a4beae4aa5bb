/** Everything that people are shown or told at this moment: text, names of controls, placeholders. */
export function shownNow(): string {
  const named = [...document.querySelectorAll('[aria-label],[placeholder],[title]')].flatMap((element) =>
    ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
  )
  return [document.body.textContent, ...named].join('\n')
}
