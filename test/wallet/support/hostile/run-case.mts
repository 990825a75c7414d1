/** Runs a case: an endpoint lies at a moment, is honest then, and everything must become right. */
import { Resources } from '../../../support/resources.mts';
import type { HostileCase } from './cases.mts';
import { account, heal } from './heal.mts';
import { judgeOrder, lookAt } from './judge.mts';
import { MOMENTS } from './moments.mts';
import { Scene } from './scene.mts';
import type { Template } from './template.mts';
import type { Verdict } from './verdict.mts';

export async function runCase(template: Template, one: HostileCase): Promise<Verdict> {
	await using resources = new Resources();
	const { name, moment, liar, lie } = one;
	const { isNew = false, replaced = {}, play } = MOMENTS[moment];
	const scene = await Scene.set(resources, template, { liar, lie, isNew, replaced });
	scene.look = async () => await lookAt(scene);
	scene.judge = (order, told) => judgeOrder(scene, order, told);
	await play(scene);
	scene.look = async () => undefined;
	const { wrong, isHelped, seconds } = await heal(scene);
	account(scene);
	const late = wrong === undefined ? [] : [`not right in the end: ${wrong}`];
	return { name, faults: [...scene.faults, ...late], early: [...scene.early], isHelped, seconds };
}
