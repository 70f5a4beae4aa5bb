/** Fields that tell what a call is about or sets it to. Everything else of a body may be a secret and is not kept. */
const keptFields = new Set([
  ...['id', 'name', 'displayName', 'username', 'kind', 'role', 'enabled', 'featured', 'state', 'days', 'reason'],
  ...['owner', 'type'],
  ...['replicas', 'pool', 'count', 'revision', 'container', 'namespace', 'version', 'currency', 'approve', 'level'],
])
/** Lists of names, or of things with names. */
const keptLists = new Set(['roles', 'groups', 'actions', 'scopes', 'tags', 'types', 'ids', 'clusterIds'])
/** Fields of an answer that name what was made. */
const namesInAnswer = ['id', 'name', 'displayName', 'username', 'clientId', 'appId', 'actionId', 'itemId']

const namesOfPrincipal = new Set(['type', 'id', 'name'])

const longest = 200
const mostParts = 24
const mostInList = 10

type Parts = Record<string, string>

/** Ids, names and settings that a call names in its address and its body. */
export function aboutCall(params: unknown, body: unknown): Parts {
  const named = Object.fromEntries(Object.entries(objectOf(params)).map(asText).filter(isText))
  // The address says where a call belongs, so nothing in a body takes its place; a caller chooses an `id` freely.
  const isTaken = (name: string) => name === 'id' || Object.hasOwn(named, name)
  const others = fieldsOf(body, '', 2)
    .filter(isText)
    .map(([name, text]) => [isTaken(name) ? `body.${name}` : name, text])
  return Object.fromEntries([...Object.entries(named), ...others].slice(0, mostParts))
}

/** Ids and names of what a call has made or changed, as its answer tells them, beside what the call has said itself. */
export function aboutAnswer(answer: unknown, said: Parts): Parts {
  const fields = objectOf(answer)
  const principal = Object.entries(objectOf(fields.principal)).filter(([name]) => namesOfPrincipal.has(name))
  const parts = [
    ...namesInAnswer.map((name) => asText([name, fields[name]])),
    ...principal.map(([name, part]) => asText([`principal.${name}`, part])),
  ].filter(isText)
  const isNew = (name: string, text: string) => said[name] === undefined || said[name] === text
  return Object.fromEntries(parts.map(([name, text]) => [isNew(name, text) ? name : `answer.${name}`, text]))
}

/** The name of the thing that an entry is about. */
export function nameIn(about: Parts): string | null {
  const found = ['displayName', 'name', 'username', 'app.displayName', 'app.name', 'subject.name', 'clientId', 'tag']
  return found.map((name) => about[name]).find((text) => text !== undefined) ?? null
}

function fieldsOf(value: unknown, prefix: string, depth: number): (readonly [string, string] | undefined)[] {
  return Object.entries(objectOf(value)).flatMap(([name, part]) => {
    const path = prefix + name
    if (Array.isArray(part)) return keptLists.has(name) ? [asText([path, namesOf(part)])] : []
    if (typeof part === 'object' && part !== null) return depth > 1 ? fieldsOf(part, `${path}.`, depth - 1) : []
    if (name === 'expiresAt') return [asText([path, part ?? 'never'])]
    return keptFields.has(name) || /^[a-z]+Id$/.test(name) ? [asText([path, part])] : []
  })
}

const namesOf = (list: readonly unknown[]) =>
  list
    .slice(0, mostInList)
    .map((one) => (typeof one === 'string' ? one : (objectOf(one).name ?? objectOf(one).id)))
    .filter((one) => typeof one === 'string')
    .join(', ') + (list.length > mostInList ? ` and ${list.length - mostInList} more` : '')

function asText([name, value]: readonly [string, unknown]): readonly [string, string] | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value)
  return text === '' ? undefined : [name, text.length > longest ? `${text.slice(0, longest - 1)}…` : text]
}

const isText = (part: readonly [string, string] | undefined) => part !== undefined

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
