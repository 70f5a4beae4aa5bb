/** One Helm release of a tenant. */
export interface ReleaseRef {
  tenantId: string
  clusterId: string
  namespace: string
  releaseName: string
}
