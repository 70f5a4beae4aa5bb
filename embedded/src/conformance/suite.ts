import { certificates, containers, leasesAndEvents, policies, webhooks } from './areas/admission.ts'
import { apply } from './areas/apply.ts'
import { defaults } from './areas/defaults.ts'
import { definitions } from './areas/definitions.ts'
import { deletion, namespaces, owners } from './areas/deleting.ts'
import { discovery, openapi } from './areas/discovery.ts'
import { helm } from './areas/helm.ts'
import { kubectlDescribe, kubectlGet } from './areas/kubectl-reading.ts'
import { kubectlApply, kubectlChange, kubectlCreate } from './areas/kubectl-writing.ts'
import { evictions, limitRanges, priorities, quotas, scaling } from './areas/limits.ts'
import { jsonPatches, strategicMerge } from './areas/patches.ts'
import { paging, selectors, shapes, versions } from './areas/reading.ts'
import { reviews, rights, tokens } from './areas/rights.ts'
import { services } from './areas/services.ts'
import { immutable, podRules, rules } from './areas/validation.ts'
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
  defaults,
  podRules,
  rules,
  immutable,
  services,
  quotas,
  limitRanges,
  priorities,
  evictions,
  scaling,
  definitions,
  policies,
  webhooks,
  certificates,
  leasesAndEvents,
  containers,
  kubectlGet,
  kubectlDescribe,
  kubectlCreate,
  kubectlApply,
  kubectlChange,
  helm,
].flat()
