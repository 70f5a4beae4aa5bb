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
  /** Of an object: it takes entries under names of one's own beside the `known` ones; the next looks like `template`. */
  map?: { template: FieldConfiguration; known: string[]; pattern?: string } | undefined
  /** The forms that the value may take, each with a value to begin with, and which one it has. */
  choices?: { label: string; value: unknown }[] | undefined
  choice?: number | undefined
}
