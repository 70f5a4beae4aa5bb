import { randomUUID } from 'node:crypto'
import { allGroups } from '../directory/groups.ts'
import { keepingLastHolders } from '../directory/kept-roles.ts'
import { isUnfit } from '../directory/unfit-text.ts'
import { lockUser, noteTypedEmail, type User, updateUser } from '../directory/users.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound, Problem } from '../http/problem.ts'
import { type Db, isDuplicate } from '../storage/database.ts'

export interface ProviderMapper {
  id: string
  name: string
  mapper: string
  config: Record<string, string>
  /** The group that is meant, wherever it is moved and whatever it is called later. */
  group_id: string | null
}

/** Kind of mapper that puts people with a claim of some value into a group. */
export const GROUP_MAPPER = 'oidc-advanced-group-idp-mapper'
/** Kind of mapper that makes a claim a name, the address or an attribute. */
const ATTRIBUTE_MAPPER = 'oidc-user-attribute-idp-mapper'

type Claims = Readonly<Record<string, unknown>>

interface Wanted {
  key: string
  value: string
}

function wantedOf({ claims = '[]' }: Record<string, string>): Wanted[] {
  try {
    const read: unknown = JSON.parse(claims)
    if (!Array.isArray(read) || read.length === 0) throw new Error('none')
    return read.map((one) => {
      const { key, value } = one as Record<string, unknown>
      if (typeof key !== 'string' || typeof value !== 'string' || key === '') throw new Error('no claim')
      return { key, value }
    })
  } catch {
    throw badRequest('claims must be a list of claims, each with key and value')
  }
}

/** Reads and checks a mapper as it was sent; those of groups and attributes are known. */
export function readMapper(sent: JsonObject, id: string = randomUUID()): ProviderMapper {
  const { name, identityProviderMapper: mapper, config } = sent
  if (typeof name !== 'string' || name.trim() === '' || name.length > 255) throw badRequest('name is missing')
  if (mapper !== GROUP_MAPPER && mapper !== ATTRIBUTE_MAPPER)
    throw new Problem(501, {
      errorMessage: `${String(mapper).slice(0, 80)} is not known to this identity server: it maps claims to groups (${GROUP_MAPPER}) and attributes (${ATTRIBUTE_MAPPER})`,
    })
  if (typeof config !== 'object' || config === null) throw badRequest('config is missing')
  const texts = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)]))
  if (texts['are.claim.values.regex'] === 'true')
    throw new Problem(501, { errorMessage: 'This identity server compares claims letter by letter, without patterns' })
  if (mapper === ATTRIBUTE_MAPPER) {
    if (!texts.claim) throw badRequest('claim is missing')
    if (!texts['user.attribute']) throw badRequest('user.attribute is missing')
    if (texts['user.attribute'] === 'username')
      throw new Problem(501, { errorMessage: 'This identity server changes no user names by claims' })
  } else {
    if (!texts.group) throw badRequest('group is missing')
    wantedOf(texts)
  }
  return { id, name, mapper, config: texts, group_id: null }
}

export async function listMappers(db: Db, realmId: string, alias: string): Promise<ProviderMapper[]> {
  const found = await db.rows<ProviderMapper>(
    `select id, name, mapper, config, group_id from identity_provider_mapper where realm_id = $1 and alias = $2
     order by name`,
    [realmId, alias],
  )
  if (!found.some(({ group_id }) => group_id !== null)) return found
  const paths = new Map((await allGroups(db, realmId)).map(({ id, path }) => [id, path]))
  return found.map((mapper) => {
    const path = mapper.group_id === null ? undefined : paths.get(mapper.group_id)
    return path === undefined ? mapper : { ...mapper, config: { ...mapper.config, group: path } }
  })
}

export async function saveMapper(db: Db, realmId: string, alias: string, mapper: ProviderMapper): Promise<void> {
  const { id, name, config, group_id } = mapper
  try {
    await db.run(
      `insert into identity_provider_mapper (id, realm_id, alias, name, mapper, config, group_id)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do update set name = $4, config = $6, group_id = $7`,
      [id, realmId, alias, name, mapper.mapper, JSON.stringify(config), group_id],
    )
  } catch (error) {
    if (isDuplicate(error)) throw conflict(`Identity provider mapper ${name} already exists`)
    throw error
  }
}

export async function requireMapper(db: Db, realmId: string, alias: string, id: string): Promise<ProviderMapper> {
  const found = (await listMappers(db, realmId, alias)).find((one) => one.id === id)
  if (!found) throw notFound('Model')
  return found
}

export async function deleteMapper(db: Db, realmId: string, alias: string, id: string): Promise<void> {
  await requireMapper(db, realmId, alias, id)
  await db.run('delete from identity_provider_mapper where id = $1', [id])
}

export const mapperToJson = (alias: string, { id, name, mapper, config }: ProviderMapper): JsonObject => ({
  ...{ id, name, identityProviderAlias: alias, identityProviderMapper: mapper, config },
})

/** The value of a claim by its path: `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  let at: unknown = claims
  for (const part of path.split('.'))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? (at as Claims)[part] : undefined
  return at
}

const claimOf = (claims: Claims, key: string): unknown =>
  Object.hasOwn(claims, key) ? claims[key] : claimAt(claims, key)

function fitsClaims({ config }: ProviderMapper, claims: Claims): boolean {
  return wantedOf(config).every(({ key, value }) => {
    const found = claimOf(claims, key)
    return Array.isArray(found) ? found.map(String).includes(value) : found !== undefined && String(found) === value
  })
}

interface Mapping {
  realm: { id: string; settings: { editUsernameAllowed: boolean } }
  alias: string
  user: User
  claims: Claims
  isFirst: boolean
  /** Sync mode of the provider, for mappers that have none of their own. */
  syncMode: string
  /** An address that the provider has verified is taken as verified. */
  trustEmail: boolean
}

/** Puts a person into a group while one of its mappings fits their claims, or out of it when none does any more. */
async function applyToGroup(
  db: Db,
  { realm, user, claims }: Mapping,
  mappers: readonly ProviderMapper[],
): Promise<void> {
  const [{ group_id, config } = { group_id: null, config: {} as Record<string, string> }] = mappers
  // A group that was made later where a deleted one was is another group.
  if (group_id === null) throw notFound(`Group ${config.group}`)
  const place = [user.id, group_id]
  if (mappers.some((mapper) => fitsClaims(mapper, claims)))
    await db.run('insert into group_member (user_id, group_id) values ($1, $2) on conflict do nothing', place)
  else
    await keepingLastHolders(db, realm.id, (tx) =>
      tx.run('delete from group_member where user_id = $1 and group_id = $2', place),
    )
}

const profile = ['email', 'firstName', 'lastName']
const mostValues = 20

function textsOf(found: unknown): string[] {
  const all = Array.isArray(found) ? found : [found]
  return all
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
    .map((one) => String(one).trim())
    .filter((one) => one !== '' && one.length <= 255 && !isUnfit(one))
    .slice(0, mostValues)
}

/** Writes a claim into a name, the address or an attribute; an attribute that nobody claims any more goes. */
async function applyToAttribute(db: Db, mapping: Mapping, { config }: ProviderMapper): Promise<void> {
  const { realm, claims, trustEmail } = mapping
  const { claim = '', 'user.attribute': name = '' } = config
  const values = textsOf(claimOf(claims, claim))
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, realm.id, mapping.user.id)
    if (!user || (profile.includes(name) && values.length === 0)) return
    if (!profile.includes(name)) {
      const { [name]: _, ...others } = user.attributes
      const attributes = values.length === 0 ? others : { ...others, [name]: values }
      return updateUser(tx, realm, user.id, { attributes })
    }
    if (name !== 'email') return updateUser(tx, realm, user.id, { [name]: values[0] })
    const email = values[0]?.toLowerCase()
    if (email === user.email) return
    const emailVerified = trustEmail && claims.email_verified === true && String(claims.email).toLowerCase() === email
    await updateUser(tx, realm, user.id, { email, emailVerified })
    if (!emailVerified) await noteTypedEmail(tx, user.id)
  })
}

/**
 * Brings groups, names and attributes of a person to what their claims say.
 * @returns mappers that could not be obeyed, with the reason: a group that is gone, an address that somebody else has, or a
 *   group that its last administrator would leave
 */
export async function applyMappers(db: Db, mapping: Mapping): Promise<string[]> {
  const skipped: string[] = []
  const all = await listMappers(db, mapping.realm.id, mapping.alias)
  const isDue = ({ config }: ProviderMapper) => {
    const own = config.syncMode ?? 'INHERIT'
    return mapping.isFirst || (own === 'INHERIT' ? mapping.syncMode : own) === 'FORCE'
  }
  const done = new Set<string>()
  for (const mapper of all.filter(isDue)) {
    const { group_id } = mapper
    if (group_id !== null && done.has(group_id)) continue
    if (group_id !== null) done.add(group_id)
    const ofGroup = group_id === null ? [mapper] : all.filter((one) => one.group_id === group_id)
    try {
      if (mapper.mapper === ATTRIBUTE_MAPPER) await applyToAttribute(db, mapping, mapper)
      else await applyToGroup(db, mapping, ofGroup)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      skipped.push(`${mapper.name}: ${error.message}`)
    }
  }
  return skipped
}
