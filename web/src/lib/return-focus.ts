/**
 * Where the focus belongs once a wizard is closed: what was focused when it opened, or the button of the menu or the
 * popover that it was chosen from. A wizard that follows another one leads back to where the first one came from.
 */
export function returnFocusTarget(active: Element | null, before: HTMLElement | undefined): HTMLElement | undefined {
  if (!(active instanceof HTMLElement) || active === document.body) return before
  const layer = active.closest('[role=menu], [role=dialog]')
  if (layer === null) return active
  const owner = document.getElementById(layer.getAttribute('aria-labelledby') ?? '')
  return owner instanceof HTMLButtonElement ? owner : before
}

/** Gives the focus back after a dialog that is gone; the page takes it when the opener is gone as well. */
export function returnFocus(opener: HTMLElement | undefined): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const target = opener?.isConnected === true ? opener : document.getElementById('page')
  target?.focus({ preventScroll: true })
}
