const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that draw. */
export const svgElements = words(`
  svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath image style
  clipPath mask pattern marker linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer
  feComposite feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile
  feDropShadow`)

/** Elements that only hold others, by the one that takes their place. */
export const svgContainers: ReadonlyMap<string, string> = new Map([
  ['a', 'g'],
  ['switch', 'g'],
])

/** Attributes that say how something is drawn. References have rules of their own. */
export const svgAttributes = words(`
  id class style version viewBox preserveAspectRatio x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points width height dx dy
  rotate pathLength textLength lengthAdjust startOffset transform transform-origin gradientTransform gradientUnits
  spreadMethod offset patternTransform patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits
  markerWidth markerHeight markerUnits refX refY orient filterUnits primitiveUnits in in2 result stdDeviation type
  values mode operator k1 k2 k3 k4 radius tableValues slope intercept amplitude exponent
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset color opacity display visibility overflow clip-path clip-rule mask filter
  marker-start marker-mid marker-end stop-color stop-opacity flood-color flood-opacity lighting-color paint-order
  vector-effect mix-blend-mode isolation shape-rendering text-rendering image-rendering color-interpolation
  color-interpolation-filters color-rendering font-family font-size font-style font-weight font-variant font-stretch
  letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
  writing-mode direction unicode-bidi enable-background`)

/** Elements that act or bring in another language, under whatever prefix. */
export const activeElements = words(`
  script foreignobject iframe frame object embed applet audio video source canvas portal handler listener set animate
  animatemotion animatetransform animatecolor link meta base form input button html body img`)
