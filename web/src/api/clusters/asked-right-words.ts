import type { AskedRight } from '@quayside/contract/clusters/asked-right'
import { scopeWords } from '../permissions/scope-words.ts'

/** A right, to follow "takes": 'the right to manage members', 'the role harbour-crew'. */
export const rightWords = (right: AskedRight): string =>
  right.type === 'scope' ? `the right to ${scopeWords[right.id]}` : `the role ${right.id}`
