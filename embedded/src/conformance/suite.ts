import { apply } from './areas/apply.ts'
import { deletion, namespaces, owners } from './areas/deleting.ts'
import { discovery, openapi } from './areas/discovery.ts'
import { jsonPatches, strategicMerge } from './areas/patches.ts'
import { paging, selectors, shapes, versions } from './areas/reading.ts'
import { reviews, rights, tokens } from './areas/rights.ts'
import { watching } from './areas/watching.ts'
import { fieldValidation, writing } from './areas/writing.ts'
import type { Check } from './check.ts'

/** Every check there is. */
export const suite: readonly Check[] = [
  discovery,
  openapi,
  writing,
  fieldValidation,
  jsonPatches,
  strategicMerge,
  apply,
  paging,
  versions,
  selectors,
  shapes,
  watching,
  deletion,
  owners,
  namespaces,
  rights,
  reviews,
  tokens,
].flat()
