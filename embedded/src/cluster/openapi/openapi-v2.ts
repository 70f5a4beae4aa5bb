import { VERSION } from '../version.ts'

/** Clients that know v3 read that; the others are told that there is nothing to check against here. */
export const GROUP_VERSIONS_V2 = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: VERSION.gitVersion },
  paths: {},
  definitions: {},
}
