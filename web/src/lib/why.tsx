import type { Section } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

/** Somebody else than the person who asks. */
export interface Other {
  id: string
  name: string
}

/** Kinds of things in whose space a right is asked for. */
export type Place = 'space' | 'app' | 'action'

/** A question about a right; `deed` completes "Why can't I …?". */
export type Question =
  /** Why a deed is closed where a thing lies. */
  | { ask: 'scope'; scope: Scope; place: Place; id: string; deed: string; user?: Other }
  /** Why a deed is closed that a role of the tenant opens. */
  | { ask: 'role'; role: `${Section}:${string}`; deed: string }
  /** Why a deed is closed that any space could open. */
  | { ask: 'somewhere'; scope: Scope; deed: string }
  /** Everything that somebody may do in a space, and on a page of this route. */
  | { ask: 'all'; place: 'space' | 'app'; id: string; name: string; page: string; user?: Other }
  /** The same where no space decides, but roles of the tenant alone. */
  | { ask: 'all'; place?: never; id?: never; name: string; page: string; user?: never }

/** The state of a control for the person, undefined while it is not known, and the question that explains that it is closed. */
export interface Right {
  allowed: boolean | undefined
  why: Question
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

/** The same for parts that are also shown before there is a session; undefined there. */
export function useWhyIfThere(): Why | undefined {
  return useContext(WhyContext)
}

export function WhyProvider({ children }: { children: ReactNode }) {
  const [question, open] = useState<Question>()
  const why = useMemo<Why>(() => ({ question, open, close: () => open(undefined) }), [question])
  return <WhyContext value={why}>{children}</WhyContext>
}
