const layers = '[role=dialog], [role=menu], [role=listbox]'

/** Tells whether a dialog or a list lies over the page, which keys belong to then. */
export const isLayerOpen = (): boolean =>
  [...document.querySelectorAll(layers)].some((layer) => layer.getClientRects().length > 0)
