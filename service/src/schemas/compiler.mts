import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Validates requests without converting values: their types must match the schemas. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
	const validator = Compile(schema);
	return (value) => (validator.Check(value) ? { value } : { error: validator.Errors(value) });
};

/** Serializes answers, and refuses any that does not match its schema, so that the OpenAPI document remains accurate. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema, url, method }) => {
	const validator = Compile(schema);
	return (value) => {
		if (validator.Check(value)) return JSON.stringify(value);
		const problems = validator.Errors(value).map(({ instancePath, message }) => {
			return `${instancePath || '/'} ${message}`;
		});
		throw new Error(
			`The answer of ${method} ${url} does not fit its schema: ${problems.join('; ')}`,
		);
	};
};
