/** Gives the fields that are left out their values; fields that are there stay. */
export function fill<T extends object>(target: T, defaults: { [K in keyof T]?: T[K] }): void {
  for (const key of Object.keys(defaults) as (keyof T)[]) {
    const value = defaults[key]
    if (target[key] === undefined && value !== undefined) target[key] = value as T[keyof T]
  }
}
