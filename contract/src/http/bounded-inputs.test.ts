import { expect, it } from 'vitest'
import { z } from 'zod'
import { guardedCalls } from '../capabilities.ts'

/** A part of a JSON schema. */
interface Part {
  $ref?: string
  $defs?: Record<string, Part>
  /** Several for what may also be null. */
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown
  const?: unknown
  maxLength?: number
  maxItems?: number
  maximum?: number
  exclusiveMaximum?: number
  items?: Part
  anyOf?: Part[]
  oneOf?: Part[]
  allOf?: Part[]
  properties?: Record<string, Part>
  additionalProperties?: Part | boolean
  propertyNames?: Part
}

/** Parts of calls that something else bounds than their schema, by the end of their place. */
const boundedOtherwise: readonly (readonly [RegExp, string])[] = [
  [/query\.sort\.\*$/, 'one of two words'],
  [/body\.config\[\]/, 'the body, which has the bytes of a document of values'],
  [/body\.spec\.(duration|refreshInterval)$/, 'a pattern of its own'],
  [/applinks(\/:id)? body\.url$/, 'refusalOfUrl'],
  [/identity-providers(\/discover)? body\.address$/, 'providerAddressProblem'],
  [/body\.(redirectUris|webOrigins)\[\]$/, 'redirectUriProblem and webOriginProblem'],
  [
    /(baseRevision|compare\/:id query\.(from|to)|query\.after|body\.value\[\]\.value)$/,
    'a number that is only compared',
  ],
]

const hasNoEnd = (pattern: string) => /(?<!\\)[*+]|\{\d+,\}/.test(pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, 'x'))

function isOpen({ type, format, pattern, ...part }: Part): boolean {
  const types = [type].flat()
  if (types.includes('array')) return part.maxItems === undefined
  if (types.includes('number') || types.includes('integer'))
    return (part.maximum ?? part.exclusiveMaximum ?? Number.MAX_SAFE_INTEGER) >= Number.MAX_SAFE_INTEGER
  if (!types.includes('string') || format === 'date-time' || part.maxLength !== undefined) return false
  return pattern === undefined || (format === undefined && hasNoEnd(pattern))
}

/** Places of everything in a schema that may be as long, as many or as great as somebody likes. */
function openIn(part: Part, place: string, defs: Record<string, Part>, above: readonly string[] = []): string[] {
  if (part.$ref !== undefined) {
    const name = part.$ref.split('/').at(-1) ?? ''
    return above.includes(name) ? [] : openIn(defs[name] ?? {}, place, defs, [...above, name])
  }
  if (part.enum !== undefined || part.const !== undefined) return []
  const { additionalProperties: values, propertyNames: names } = part
  return [
    ...(isOpen(part) ? [place] : []),
    ...[...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])].flatMap((one) =>
      openIn(one, place, defs, above),
    ),
    ...(part.items ? openIn(part.items, `${place}[]`, defs, above) : []),
    ...Object.entries(part.properties ?? {}).flatMap(([name, one]) => openIn(one, `${place}.${name}`, defs, above)),
    ...(typeof values === 'object' ? openIn(values, `${place}.*`, defs, above) : []),
    ...(typeof values === 'object' && names ? openIn(names, `${place}.{name}`, defs, above) : []),
  ]
}

it('every text, list and number that a call takes has an end', () => {
  const found = guardedCalls.flatMap(({ address, endpoint }) =>
    (['params', 'query', 'body'] as const).flatMap((name) => {
      const schema = endpoint[name]
      if (schema === undefined) return []
      const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Part
      return openIn(json, `${address} ${name}`, json.$defs ?? {})
    }),
  )
  const isBounded = (place: string) => boundedOtherwise.some(([end]) => end.test(place))
  expect([...new Set(found)].filter((place) => !isBounded(place))).toEqual([])
  // An exception that nothing needs any more goes.
  expect(boundedOtherwise.filter(([end]) => !found.some((place) => end.test(place)))).toEqual([])
})
