/** A node of the configuration tree that the form is generated from. Leaves carry a value, objects and arrays children. */
export interface FieldConfiguration {
  label: string | null
  name: string | null
  type: string
  value?: unknown
  objects: FieldConfiguration[]
  collections: FieldConfiguration[]
  comments: string[]
  options?: { value: unknown; label: string }[]
  validations?: { name: string; validator: unknown; message: string }[]
  required?: boolean
  defaultValue?: unknown
  /**
   * For an object: it takes entries under names of one's own beside the `known` ones; a new entry looks like
   * `template`.
   */
  map?: { template: FieldConfiguration; known: string[]; pattern?: string } | undefined
  /** Forms that the value may take, each with a value to begin with, and the index of its present form. */
  choices?: { label: string; value: unknown }[] | undefined
  choice?: number | undefined
}
