import { compile } from '../../expressions/cel.ts'
import { type FieldError, invalidValue, required } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { docOf, listOf, textOf } from '../../store/doc.ts'

const EXPRESSIONS = ['matchConditions', 'variables', 'validations'] as const

/** Errors in a policy: expressions that do not parse. */
export function policy({ spec }: KubeObject): FieldError[] {
  const own = docOf(spec)
  const errors = EXPRESSIONS.flatMap((list) =>
    listOf(own[list]).flatMap((each, index) => {
      const source = textOf(docOf(each).expression)
      const field = `spec.${list}[${index}].expression`
      if (source.trim() === '') return [required(field)]
      const made = compile(source)
      return 'run' in made ? [] : [invalidValue(field, source, `compilation failed: ERROR: ${made.problem}`)]
    }),
  )
  return own.matchConstraints ? errors : [...errors, required('spec.matchConstraints')]
}

export function policyBinding({ spec }: KubeObject): FieldError[] {
  const { policyName, validationActions } = docOf(spec)
  const actions = listOf(validationActions)
  const field = 'spec.validationActions'
  return [
    ...(policyName ? [] : [required('spec.policyName')]),
    ...(actions.length > 0 ? [] : [required(field)]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [
          invalidValue(
            field,
            actions,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
  ]
}
