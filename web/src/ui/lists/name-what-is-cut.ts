/** Tells whether an ellipsis stands at the end of a line, or of the last line that there is room for. */
function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true
  return (webkitLineClamp || 'none') !== 'none' && element.scrollHeight > element.clientHeight
}

/** Gives the text under the pointer, or in focus, a tooltip with the whole of it where an ellipsis cuts it. */
export function nameWhatIsCut({ target }: { target: EventTarget }): void {
  for (let at = target instanceof HTMLElement ? target : null; at && !at.matches('tr, main'); at = at.parentElement) {
    if (!isCut(at)) continue
    if (at.title === '') at.title = at.textContent.trim()
    return
  }
}
