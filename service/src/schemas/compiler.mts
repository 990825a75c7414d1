import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';

/**
 * The validator of a schema, compiled at its first use: compiling all of them would take much of a start. `typebox/compile`
 * loads a third more modules, for conversions.
 */
function validatorOf(schema: TSchema): () => Validator {
	let validator: Validator | undefined;
	return () => (validator ??= Compile(schema));
}

/** Validates requests without converting values: their types must match the schemas. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
	const validator = validatorOf(schema);
	return (value) => {
		return validator().Check(value) ? { value } : { error: validator().Errors(value)[1] };
	};
};

/** Serializes answers, and refuses any that does not match its schema, so that the OpenAPI document remains accurate. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema, url, method }) => {
	const validator = validatorOf(schema);
	return (value) => {
		if (validator().Check(value)) return JSON.stringify(value);
		const [, errors] = validator().Errors(value);
		const problems = errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
		throw new Error(
			`The answer of ${method} ${url} does not fit its schema: ${problems.join('; ')}`,
		);
	};
};
