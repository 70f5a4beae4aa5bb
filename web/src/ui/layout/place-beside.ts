/** Where a floating text goes: a top and the nearer inline edge, in pixels of the viewport. */
export interface Placement {
  top: number
  left?: number
  right?: number
}

const gap = 6

/** Below the anchor and aligned with the edge that leaves it more room. */
export function placeBeside(anchor: { bottom: number; left: number; right: number }, viewport: number): Placement {
  const top = anchor.bottom + gap
  const middle = (anchor.left + anchor.right) / 2
  return middle < viewport / 2
    ? { top, left: Math.max(gap, anchor.left) }
    : { top, right: Math.max(gap, viewport - anchor.right) }
}

/** The same place, moved for a panel of this width as far as the viewport asks. */
export function keptInside(place: Placement, width: number, viewport: number): Placement {
  const most = Math.max(gap, viewport - gap - width)
  return place.left === undefined
    ? { ...place, right: Math.min(place.right ?? gap, most) }
    : { ...place, left: Math.min(place.left, most) }
}

/** The top of a panel that ends above its anchor, and does not leave the screen. */
export function topAbove(anchorTop: number, height: number): number {
  return Math.max(gap, anchorTop - height - gap)
}
