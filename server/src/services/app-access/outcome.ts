import type { IamResultType } from '@quayside/contract/deployments/endpoints'

export interface AccessTarget {
  tenantId: string
  realm: string
  appId: string
  appName: string
  releaseName: string
  resourceRoles: string[]
}

/** A step that failed, with the outcome that the deployment reports for it. */
export class AccessFailed extends Error {
  readonly type: IamResultType
  constructor(type: IamResultType, message: string, cause?: unknown) {
    super(message, { cause })
    this.type = type
  }
}

/** Turns every error of the work into an outcome of this type. */
export async function outcome<T>(type: IamResultType, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccessFailed) throw error
    throw new AccessFailed(type, error instanceof Error ? error.message : 'Unknown error', error)
  }
}
