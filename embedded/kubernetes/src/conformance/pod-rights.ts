import { IMAGE } from './objects.ts'

/** Pods that ask for rights on their node, or give them up. */
export const container = (securityContext: object = {}, more: object = {}) => ({
  name: 'main',
  image: IMAGE,
  securityContext,
  ...more,
})
export const contained = (securityContext: object, more: object = {}) => ({
  containers: [container(securityContext)],
  ...more,
})
export const RESTRICTED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }

/** A pod that the restricted level takes, save for what is asked for. */
export const careful = (context: object = {}, podContext: object = {}, more: object = {}) =>
  contained({ ...RESTRICTED, ...context }, { securityContext: { ...RESTRICTED_POD, ...podContext }, ...more })
