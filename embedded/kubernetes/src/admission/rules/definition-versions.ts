import type { V1CustomResourceDefinitionVersion } from '@kubernetes/client-node'
import { type FieldError, invalidValue, required } from '../../field-error.ts'
import { labelProblem } from './names.ts'

/** Errors in the parts of a version by which it is served: without them nobody could read its objects, or the definition itself. */
export function servingErrors(version: Partial<V1CustomResourceDefinitionVersion>, at: string): FieldError[] {
  const { name, subresources, additionalPrinterColumns = [], selectableFields = [] } = version
  const problem = name ? labelProblem(name) : undefined
  const errors = [
    ...(name ? [] : [required(`${at}.name`)]),
    ...(problem ? [invalidValue(`${at}.name`, name, problem)] : []),
    ...selectableFields.flatMap(({ jsonPath }, index) =>
      jsonPath ? [] : [required(`${at}.selectableFields[${index}].jsonPath`)],
    ),
    ...additionalPrinterColumns.flatMap((column, index) =>
      (['name', 'type', 'jsonPath'] as const).flatMap((field) =>
        column[field] ? [] : [required(`${at}.additionalPrinterColumns[${index}].${field}`)],
      ),
    ),
  ]
  if (!subresources?.scale) return errors
  const paths = { specReplicasPath: '.spec.', statusReplicasPath: '.status.' } as const
  return [
    ...errors,
    ...(['specReplicasPath', 'statusReplicasPath'] as const).flatMap((field) => {
      const path = subresources.scale?.[field]
      const where = `${at}.subresources.scale.${field}`
      if (!path) return [required(where)]
      const why = `should be a json path under ${paths[field].slice(0, -1)}`
      return path.startsWith(paths[field]) ? [] : [invalidValue(where, path, why)]
    }),
  ]
}
