/** A profile of seccomp or AppArmor that a pod or a container asks for. */
export interface Profile {
  type: string
}

/** The types that confine; `Unconfined` is the other. */
export const PROFILES: ReadonlySet<string> = new Set(['RuntimeDefault', 'Localhost'])
