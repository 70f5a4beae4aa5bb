import { discovery, openapi } from './areas/discovery.ts'
import { fieldValidation, writing } from './areas/writing.ts'
import type { Check } from './check.ts'

/** Every check there is. */
export const suite: readonly Check[] = [discovery, openapi, writing, fieldValidation].flat()
