import { notAcceptable } from '../api-error.ts'

/** The shape of object the client wants to see. */
export type Shape = 'object' | 'table' | 'metadata'

interface MediaRange {
  type: string
  parameters: Record<string, string>
}

/** The media ranges of an Accept header, in the client's order of preference. */
export function mediaRanges(accept: string): MediaRange[] {
  return accept
    .split(',')
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim())
      const pairs = rest.map((piece) => piece.split('=').map((text) => text.trim()))
      return { type: type.toLowerCase(), parameters: Object.fromEntries(pairs) as Record<string, string> }
    })
    .filter(({ type }) => type !== '')
    .map((range, index) => ({ range, index, q: Number(range.parameters.q ?? 1) }))
    .sort((a, b) => b.q - a.q || a.index - b.index)
    .map(({ range }) => range)
}

const SHAPES: Record<string, Shape> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
}

const isJson = (type: string) =>
  type === 'application/json' || type === 'application/yaml' || type === 'application/*' || type === '*/*'

/** Shape of the answer by the Accept header. Throws "not acceptable" to a client that takes neither JSON nor YAML. */
export function negotiate(accept: string | undefined): Shape {
  if (!accept) return 'object'
  for (const { type, parameters } of mediaRanges(accept)) {
    if (!isJson(type)) continue
    if (!parameters.as) return 'object'
    const shape = parameters.g === 'meta.k8s.io' ? SHAPES[parameters.as] : undefined
    if (shape) return shape
  }
  throw notAcceptable('only the following media types are accepted: application/json, application/yaml')
}
