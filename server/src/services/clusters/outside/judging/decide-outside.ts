import { type AskedRight, usualRight, withoutRepeats } from '@quayside/contract/clusters/asked-right'
import type { NeedVerdict, OutsideNeed } from '@quayside/contract/clusters/rules'
import type { PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'
import { keyOf } from '../outside-objects.ts'
import type { Judged } from './judge-outside.ts'

/** An entry of the list of a cluster. */
interface ListedRule {
  group: string
  kind: string
  name: string | null
  item_id: string | null
  /** The source whose versions of the item are meant, beside those that were uploaded. */
  item_source_id: string | null
  publisher: string | null
  publisher_id: string | null
}

/** An object that somebody was asked for: what it was called and what it gave then. */
interface AskedObject {
  key: string
  digest: string
}

export interface AskedApproval {
  id: string
  state: 'open' | 'granted' | 'declined' | 'ended'
  expires_at: Date | null
  objects: readonly AskedObject[]
  /** Fingerprint of the deployment that was asked for: its version and values. */
  fingerprint: string
  /** The right that deploying asks for with it; null: the usual one. */
  asks_for: AskedRight | null
}

export interface Decision {
  judged: Judged
  need: OutsideNeed
  /** The rights that deploying asks for once the object is there, all of them; none for one that elevates nothing. */
  asksFor: AskedRight[]
}

/** The inputs of a decision: the settings of the cluster, its rules, the catalog item and the app's approvals. */
export interface Court {
  /** False: nothing outside of spaces is made by charts here. */
  isOn: boolean
  rules: readonly ListedRule[]
  item: { id: string; publisherId: string | null; sourceId: string | null }
  /** The app's requests and approvals, newest first. */
  approvals: readonly AskedApproval[]
  now: Date
}

/** Decides about each object that a release needs outside of its space. */
export function decideOutside(judged: readonly Judged[], court: Court): Decision[] {
  return judged.map((one) => {
    const { apiVersion, kind, name, namespace, elevates, grants } = one
    const verdict = verdictOf(one, court)
    return {
      judged: one,
      asksFor: elevates ? askedWith(one, verdict, court) : [],
      need: { apiVersion, kind, name, namespace, elevates, grants, verdict, message: messageOf(one, verdict, court) },
    }
  })
}

/** The part of a judged object by which it is decided about. */
export type Decidable = Pick<
  Judged,
  'group' | 'kind' | 'name' | 'namespace' | 'digest' | 'never' | 'isForAll' | 'isStored'
>

export function verdictOf(one: Decidable, court: Court): NeedVerdict {
  if (one.never !== null || !court.isOn) return 'never'
  if (!one.isForAll && court.rules.some((rule) => counts(rule, one) && covers(rule, one, court.item))) return 'rule'
  const about = approvalsOf(one, court)
  if (about.some((approval) => isUsable(approval, court.now))) return 'approved'
  const newest = about.find(({ state }) => state !== 'ended')
  return newest?.state === 'open' ? 'waiting' : newest?.state === 'declined' ? 'declined' : 'ask'
}

const approvalsOf = (one: Decidable, { approvals }: Court) =>
  approvals.filter(({ objects }) => objects.some(({ key, digest }) => key === keyOf(one) && digest === one.digest))

/** Where several approvals in force have named rights, all of them: a newer one takes nothing off an earlier one. */
function askedWith(one: Decidable, verdict: NeedVerdict, court: Court): AskedRight[] {
  if (verdict !== 'approved') return [usualRight]
  const inForce = approvalsOf(one, court).filter((approval) => isUsable(approval, court.now))
  return withoutRepeats(inForce.map(({ asks_for }) => asks_for ?? usualRight))
}

export function isUsable({ state, expires_at }: Pick<AskedApproval, 'state' | 'expires_at'>, now: Date): boolean {
  return state === 'granted' && (expires_at === null || expires_at > now)
}

/** An entry for one item or publisher trusts them with the content, which people of the space may have stored. */
function counts(rule: ListedRule, { isStored }: Pick<Decidable, 'isStored'>): boolean {
  return !isStored || (rule.item_id === null && rule.publisher === null)
}

function covers(rule: ListedRule, one: Pick<Judged, 'group' | 'kind' | 'name'>, item: Court['item']): boolean {
  return (
    rule.group === one.group &&
    rule.kind === one.kind &&
    (rule.name === null || fits(rule.name, one.name)) &&
    (rule.item_id === null || isMeant(rule, item)) &&
    // One of a former version names what packages said of themselves, and nobody by an id: it lets nothing be.
    (rule.publisher === null || (rule.publisher_id !== null && rule.publisher_id === item.publisherId))
  )
}

/** A version that a source adds to an uploaded item is a stranger's, at whom nobody has looked for this entry. */
function isMeant(rule: ListedRule, { id, sourceId }: Court['item']): boolean {
  return rule.item_id === id && (sourceId === null || sourceId === rule.item_source_id)
}

/** Tells whether a name fits a pattern in which `*` stands for any text. */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return pattern === name
  const last = parts.pop() ?? ''
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** An object in words: `ClusterRole web-reader`, `RoleBinding web in kube-system`. */
export function nameOf({ kind, name, namespace }: Pick<OutsideNeed, 'kind' | 'name' | 'namespace'>): string {
  return `${kind} ${name}${namespace === null ? '' : ` in ${namespace}`}`
}

function messageOf(one: Judged, verdict: NeedVerdict, { isOn, rules, item }: Court): string {
  const what = nameOf(one)
  if (one.never !== null) return `${what} cannot be made by a chart, and nobody can approve it: ${one.never}.`
  if (!isOn)
    return `${what} ${one.lent ? onUnserved(one.lent) : 'is outside of the space'}, and this cluster takes nothing from charts there. Whoever edits the cluster can change that.`
  const isTrusted = !one.isForAll && rules.some((rule) => !counts(rule, one) && covers(rule, one, item))
  if (isTrusted && verdict !== 'rule' && verdict !== 'approved')
    return `${what} is on the list of the cluster for one item or publisher alone, and a rollback reads it from where others can change it. Upgrade to the version and values of that revision instead.`
  return `${what} ${one.lent ? onUnserved(one.lent) + saidOfLent[verdict] : said[verdict]}`
}

function onUnserved(lent: readonly PolicyRule[]): string {
  const groups = [...new Set(lent.flatMap(({ apiGroups }) => apiGroups))]
  return `gives rights on API groups that the cluster does not serve (${groups.join(', ')})`
}

const saidOfLent: Record<NeedVerdict, string> = {
  rule: ', which is on the list of the cluster.',
  approved: ', which is approved.',
  ask: '. Install their definitions first, leave these rights out by the values of the chart, or ask for approval.',
  waiting: '. Its approval was asked for and is not answered yet.',
  declined: ', and its approval was declined.',
  never: ' and cannot be made by a chart.',
}

const said: Record<NeedVerdict, string> = {
  rule: 'is on the list of the cluster.',
  approved: 'is approved.',
  ask: 'is outside of the space and not on the list of the cluster. Ask for approval.',
  waiting: 'is outside of the space. Its approval was asked for and is not answered yet.',
  declined: 'is outside of the space, and its approval was declined.',
  never: 'cannot be made by a chart.',
}
