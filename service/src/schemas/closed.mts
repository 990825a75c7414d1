import Type, { type TObjectOptions, type TProperties } from 'typebox';

/** An object without other properties. */
export const Closed = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
	Type.Object(properties, { ...options, additionalProperties: false });
