import { encode } from 'uqr'
import { type Html, html } from './html.ts'

/** A text as a picture that phones read: dark on light in both themes, with the margin that readers need. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#000" d="${dark.join('')}"/></svg>`
}
