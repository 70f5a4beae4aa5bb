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

/** Explains a reason to the person; given by whoever draws the explanations. */
export const ExplainContext = createContext<((reason: Reason) => void) | undefined>(undefined)

export function useExplain(): (reason: Reason) => void {
  const explain = useContext(ExplainContext)
  if (explain === undefined) throw new Error('useExplain needs somebody above it who explains')
  return explain
}
