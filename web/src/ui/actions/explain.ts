import { createContext, useContext } from 'react'

/** Kinds of reasons for which a control is closed: whoever can explain one adds it here, by declaring this module. */
export interface Reasons {
  none: never
}
type Reason = Reasons[keyof Reasons]

/** The state of a control for the person, undefined while it is not known, and the reason for which it is closed. */
export interface Right {
  allowed: boolean | undefined
  why: Reason
}

/** Explains reasons to the person; given by whoever draws the explanations. */
interface Explainer {
  explain(reason: Reason): void
  /** The reason for which a call was refused to see something; undefined when there is nothing to explain. */
  reasonOf(error: unknown, seen: string): Reason | undefined
}

export const ExplainContext = createContext<Explainer | undefined>(undefined)

/** Undefined where nobody explains, as before the shell is drawn. */
export function useExplainer(): Explainer | undefined {
  return useContext(ExplainContext)
}

export function useExplain(): (reason: Reason) => void {
  const explainer = useExplainer()
  if (explainer === undefined) throw new Error('useExplain needs somebody above it who explains')
  return explainer.explain
}
