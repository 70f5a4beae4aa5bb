import { type RoleId, roleIdOf, roleOfId } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { ExplainContext } from '../../ui/actions/explain.ts'

/** Somebody else than the person who asks. */
export interface Other {
  id: string
  name: string
}

/** Kinds of things in whose space a right is asked for. */
export type Place = 'space' | 'app' | 'action'

/** A question about a right; `purpose` completes "Why can't I …?". */
export type Question =
  /** Why something is refused in the space of a thing; `asking` where that is known and the form is wanted at once. */
  | { ask: 'scope'; scope: Scope; place: Place; id: string; purpose: string; user?: Other; asking?: true }
  /** Why something is refused that a role of the tenant allows. */
  | { ask: 'role'; role: RoleId; purpose: string; asking?: true }
  /** Why something is refused that a role in any space would allow. */
  | { ask: 'somewhere'; scope: Scope; purpose: string }
  /** Everything that somebody may do in a space, and on a page of this route. */
  | { ask: 'all'; place: 'space' | 'app'; id: string; name: string; page: string; user?: Other }
  /** The same on a page where no space decides, but roles of the tenant alone. */
  | { ask: 'all'; place?: never; id?: never; name?: never; page: string; user?: never }

declare module '../../ui/actions/explain.ts' {
  interface Reasons {
    right: Question
  }
}

interface Why {
  question: Question | undefined
  open(question: Question): void
  close(): void
}

const WhyContext = createContext<Why | undefined>(undefined)

/** Opens the dialog that explains rights; it lives in features/permissions and the shell draws it. */
export function useWhy(): Why {
  const why = useContext(WhyContext)
  if (why === undefined) throw new Error('useWhy needs a WhyProvider above it')
  return why
}

/** The role of the tenant that a refused call has asked for; undefined when none would open it. */
function missingRole(error: unknown): RoleId | undefined {
  if (!(error instanceof ApiError) || error.status !== 403) return undefined
  const { details } = (error.details ?? {}) as { details?: { needs?: { section?: string; role?: string }[] } }
  const needed = details?.needs?.find(({ role }) => role !== undefined)
  const ref = roleOfId(`${needed?.section}:${needed?.role}`)
  return ref && roleIdOf(ref)
}

function reasonOf(error: unknown, seen: string): Question | undefined {
  const role = missingRole(error)
  return role && { ask: 'role', role, purpose: `see ${seen}` }
}

export function WhyProvider({ children }: { children: ReactNode }) {
  const [question, open] = useState<Question>()
  const explainer = useMemo(() => ({ explain: open, reasonOf }), [])
  const why = useMemo<Why>(() => ({ question, open, close: () => open(undefined) }), [question])
  return (
    <ExplainContext value={explainer}>
      <WhyContext value={why}>{children}</WhyContext>
    </ExplainContext>
  )
}
