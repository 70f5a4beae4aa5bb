import type { Way } from '@quayside/contract/permissions/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { RemainingTime } from '../../../ui/text/remaining-time.tsx'
import styles from './why-answer.module.css'
import { RightLine } from './why-lines.tsx'
import { roleOfWay } from './words.ts'

/** One line for ways that run alike: several roles of the tenant through the same group, for instance. */
interface ShownWay {
  through: string
  role: string | undefined
  scopes: readonly Scope[]
  expiresAt: string | null
}

/** 'Storefront Developers' of the group, 'quayside-operator' of the role; empty for what is given directly. */
function throughOf({ steps }: Way): string {
  const between = steps.filter(({ kind }) => kind === 'group' || kind === 'role')
  // The role of a section says little: the role or group that brings it does.
  const said = between.length > 1 && between.at(-1)?.id.includes(':') ? between.slice(0, -1) : between
  return said.map(({ kind, name }) => `${kind} ${name}`).join(' → ')
}

function waysShown(ways: readonly Way[]): ShownWay[] {
  const shown = new Map<string, ShownWay>()
  for (const way of ways) {
    const [through, role] = [throughOf(way), roleOfWay(way)]
    const key = `${role ?? ''}|${through}|${way.expiresAt ?? ''}`
    const before = shown.get(key)?.scopes ?? []
    shown.set(key, { through, role, expiresAt: way.expiresAt, scopes: [...new Set([...before, ...way.scopes])] })
  }
  return [...shown.values()]
}

interface Props {
  ways: readonly Way[]
  /** Undefined for the person who asks. */
  who: string | undefined
  space: string | undefined
}

/** How somebody comes to what they hold; one line that says so when they come to nothing. */
export function WayList({ ways, who, space }: Props) {
  const shown = waysShown(ways)
  const [subject, are] = who === undefined ? ['You', 'are'] : [who, 'is']
  if (shown.length === 0)
    return (
      <RightLine held={false}>
        <bdi>{subject}</bdi> {are} {space === undefined ? 'given it by no role and no group' : 'no member here'}
      </RightLine>
    )
  return shown.map(({ through, role, scopes, expiresAt }) => (
    <RightLine key={`${role} ${through} ${expiresAt}`} held>
      <bdi>{subject}</bdi> {who === undefined ? 'have' : 'has'}{' '}
      {role === undefined ? 'a role of the tenant' : <strong>{role}</strong>}
      {role !== undefined && through === '' && ' directly'}
      {through !== '' && (
        <>
          {' '}
          by <bdi className={styles.path}>{through}</bdi>
        </>
      )}
      {expiresAt !== null && (
        <>
          , and it <RemainingTime until={expiresAt} inline />
        </>
      )}
      {scopes.length > 0 && <span className={styles.held}>Can {listed(scopes.map((scope) => scopeWords[scope]))}</span>}
    </RightLine>
  ))
}
