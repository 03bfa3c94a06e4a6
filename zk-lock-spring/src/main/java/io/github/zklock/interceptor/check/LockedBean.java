/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.interceptor.check;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A bean as the start-up check sees it, without creating it. It knows which methods have
 * a lock, and what prevents the proxy from taking it.
 */
final class LockedBean {

	// With names, since not every application has them.
	private static final List<String> LIFECYCLE_ANNOTATIONS = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private static final String OPEN = "Apply the Kotlin plugin kotlin-spring (plugin.spring), which opens classes with "
			+ "@Component, @Service and the like, or declare the class and the method open.";

	// Since Spring 7 the second bean has the setting.
	private static final List<String> PROXY_SETTINGS = List.of(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME,
			"org.springframework.aop.framework.autoproxy.defaultProxyConfig");

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	private final String beanName;

	private final Class<?> type;

	private final @Nullable Object bean;

	private final boolean interfaceBased;

	LockedBean(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource, String beanName,
			Class<?> type) {
		this(beanFactory, operationSource, beanName, type,
				beanFactory.containsSingleton(beanName) ? beanFactory.getSingleton(beanName) : null);
	}

	/**
	 * Create it for a bean that is not in the bean factory yet.
	 */
	LockedBean(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource, String beanName,
			Class<?> type, @Nullable Object bean) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.beanName = beanName;
		this.type = type;
		this.bean = bean;
		this.interfaceBased = (bean != null) ? AopUtils.isJdkDynamicProxy(bean) : isInterfaceBased(beanFactory, type);
	}

	void check(Consumer<LockOperation> operations, Consumer<InvalidLockUsageException> findings) {
		LockTarget guarded = null;
		// No bean of most applications has one, and the search in each method costs much.
		boolean tokens = LockParameters.isMarkedAnywhere(this.type);
		SelfInvocations selfInvocations = new SelfInvocations(this.type, this.beanFactory.containsBean(this.beanName));
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(this.type)) {
			if (method.isBridge() || !ClassUtils.isUserLevelMethod(method)) {
				continue;
			}
			LockTarget target = new LockTarget(method, this.type);
			boolean locked = hasLock(method);
			InvalidLockUsageException finding = locked ? obstacle(target) : (tokens ? tokenWithoutLock(target) : null);
			if (locked && finding == null) {
				guarded = target;
				finding = read(target, operations, selfInvocations);
			}
			if (finding != null) {
				findings.accept(finding);
			}
		}
		selfInvocations.check(findings);
		if (guarded != null && EarlyReferences.include(this.beanFactory, this.beanName)) {
			findings.accept(handedOutEarly(guarded));
		}
		else if (guarded != null && !isAdvised()) {
			findings.accept(notAdvised(guarded));
		}
		if (guarded != null && isAdvisedTwice()) {
			findings.accept(advisedTwice());
		}
	}

	/**
	 * Return why Spring cannot make the proxy at all, if its guarded methods need one.
	 */
	@Nullable InvalidLockUsageException obstacleOfClass() {
		return isClosed(this.type) ? Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.type))
			.filter((method) -> ClassUtils.isUserLevelMethod(method) && hasLock(method))
			.map((method) -> obstacleOfProxy(new LockTarget(method, this.type)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null) : null;
	}

	// A method that a class-level annotation only reaches in theory is no mistake.
	private boolean hasLock(Method method) {
		if (!this.operationSource.hasLockOperation(method, this.type)) {
			return false;
		}
		boolean uncallable = Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())
				|| (this.interfaceBased && !isOnInterface(method));
		return !uncallable || isAnnotated(method, SearchStrategy.DIRECT);
	}

	private @Nullable InvalidLockUsageException obstacle(LockTarget target) {
		InvalidLockUsageException call = isAnnotated(target.method(), SearchStrategy.DIRECT) ? callOfContainer(target)
				: null;
		return (call != null) ? call : obstacleOfProxy(target);
	}

	private @Nullable InvalidLockUsageException callOfContainer(LockTarget target) {
		if (MergedAnnotations.from(target.method()).isPresent(Bean.class)) {
			return target.invalid(
					"is a @Bean method, so the lock is held while the bean is created, and not when its methods are "
							+ "called",
					"Remove @DistributedLock from the @Bean method and annotate the methods of the bean's class; what "
							+ "has to be done under a lock before the bean is ready can use LockOperations.");
		}
		if (!this.type.isInterface() && isCalledByContainer(target.method())) {
			return target.invalid(
					"is called by the container on the bean itself, so the call does not pass the proxy and runs "
							+ "without the lock",
					"Move the work to a method of another bean and call that; or, instead of @PostConstruct and the "
							+ "like, use @EventListener(ApplicationReadyEvent.class).");
		}
		return null;
	}

	private @Nullable InvalidLockUsageException obstacleOfProxy(LockTarget target) {
		Method method = target.method();
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
			return notOverridable(target, Modifier.isPrivate(modifiers) ? "private" : "static");
		}
		if (this.type.isInterface()) {
			return null;
		}
		if (this.interfaceBased) {
			return isOnInterface(method) ? null
					: target.invalid(
							"is not declared by an interface, but bean '" + this.beanName
									+ "' has a JDK proxy, through which it cannot be called",
							"Declare it in an interface of the class, or set spring.aop.proxy-target-class=true.");
		}
		if (isClosed(this.type)) {
			return closed(target, this.type.isSealed() ? "sealed" : "final");
		}
		if (Modifier.isFinal(modifiers)) {
			return notOverridable(target, "final");
		}
		if (isPackagePrivateElsewhere(method)) {
			return target.invalid(
					"is package-private in " + method.getDeclaringClass().getName()
							+ ", in another package, so the proxy cannot intercept it and it runs without its lock",
					"Make it public or protected.");
		}
		return null;
	}

	private static boolean isClosed(Class<?> type) {
		return Modifier.isFinal(type.getModifiers()) || type.isSealed();
	}

	private static InvalidLockUsageException closed(LockTarget target, String modifier) {
		String record = modifier.equals("final") ? " (a record cannot be guarded)" : "";
		return target.invalid("is in a " + modifier + " class, which cannot have a proxy, so it runs without its lock",
				isFinalByDefault(target, modifier) ? OPEN
						: "Remove " + modifier + " from the class" + record + ", or move the method to another bean.");
	}

	private static InvalidLockUsageException notOverridable(LockTarget target, String modifier) {
		String remedy = modifier.equals("private") ? "Make it public, protected or package-private."
				: "Remove " + modifier + ".";
		return target.invalid("is " + modifier + ", so the proxy cannot intercept it and it runs without its lock",
				isFinalByDefault(target, modifier) ? OPEN : remedy);
	}

	private static boolean isFinalByDefault(LockTarget target, String modifier) {
		return modifier.equals("final") && KotlinDetector.isKotlinType(target.method().getDeclaringClass());
	}

	// A method that only a lock on its class reaches may be meant for calls from inside,
	// unless it is public.
	private @Nullable InvalidLockUsageException read(LockTarget target, Consumer<LockOperation> operations,
			SelfInvocations selfInvocations) {
		try {
			LockOperation operation = this.operationSource.getLockOperation(target.method(), this.type);
			if (operation != null) {
				operations.accept(operation);
				boolean forOutside = Modifier.isPublic(target.method().getModifiers())
						|| isAnnotated(target.method(), SearchStrategy.TYPE_HIERARCHY);
				selfInvocations.add(target, operation, forOutside);
			}
			return null;
		}
		catch (InvalidLockUsageException ex) {
			return ex;
		}
	}

	private static boolean isAnnotated(Method method, SearchStrategy strategy) {
		return MergedAnnotations.from(method, strategy).isPresent(DistributedLock.class);
	}

	private InvalidLockUsageException notAdvised(LockTarget target) {
		return target.invalid(
				"is in bean '" + this.beanName + "', which has no proxy that takes locks, so it runs without its lock",
				"If the log says that the bean is \"not eligible for getting processed by all BeanPostProcessors\", do "
						+ "not let a BeanPostProcessor or BeanFactoryPostProcessor depend on it; else make sure that "
						+ "the auto-configuration of zk-lock is active in the context of the bean and that the "
						+ "container creates the bean. A mock in a test needs the test dependency "
						+ "zk-lock-spring-boot-test.");
	}

	private InvalidLockUsageException handedOutEarly(LockTarget target) {
		return target.invalid("is in bean '" + this.beanName + "', which another bean got before its proxy was ready ("
				+ EarlyReferences.circle(this.beanFactory, this.beanName)
				+ "), so @Scheduled, message listeners and the like call it without the proxy and it runs without its "
				+ "lock",
				"Put @Lazy on an injection point of this circle, or break the circle: let one of its beans do without "
						+ "the other.");
	}

	// Of the application rather than of one bean, so it is found once.
	private InvalidLockUsageException advisedTwice() {
		String creators = Arrays
			.stream(this.beanFactory.getBeanNamesForType(AbstractAdvisorAutoProxyCreator.class, true, false))
			.collect(Collectors.joining("', '", "'", "'"));
		return new InvalidLockUsageException(
				"A call of a @DistributedLock method takes its lock twice, since "
						+ "several auto-proxy creators put a proxy around its bean: " + creators + ".",
				"Remove one of them, or restrict it by setUsePrefix(true): '"
						+ AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME + "' is the one of Spring Boot.");
	}

	private static @Nullable InvalidLockUsageException tokenWithoutLock(LockTarget target) {
		return LockParameters.isMarked(target) ? new InvalidLockUsageException(
				"The method " + target + " has a @FencingToken parameter, but no lock, so it gets no value.",
				"Annotate the method with @DistributedLock, or remove @FencingToken.") : null;
	}

	private boolean isPackagePrivateElsewhere(Method method) {
		return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
				&& !method.getDeclaringClass().getPackageName().equals(this.type.getPackageName());
	}

	// Through the most specific method, since a generic interface declares other types.
	private boolean isOnInterface(Method method) {
		return ClassUtils.getAllInterfacesForClassAsSet(this.type)
			.stream()
			.flatMap((contract) -> Arrays.stream(contract.getMethods()))
			.filter((declared) -> declared.getName().equals(method.getName()))
			.anyMatch((declared) -> AopUtils.getMostSpecificMethod(declared, this.type).equals(method));
	}

	private boolean isCalledByContainer(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method);
		return (method.getParameterCount() == 0 && lifecycleMethods().contains(method.getName()))
				|| LIFECYCLE_ANNOTATIONS.stream().anyMatch(annotations::isPresent);
	}

	// What the container calls on the bean itself, never on its proxy.
	private Set<String> lifecycleMethods() {
		BeanDefinition merged = this.beanFactory.containsBeanDefinition(this.beanName)
				? this.beanFactory.getMergedBeanDefinition(this.beanName) : null;
		AbstractBeanDefinition definition = (merged instanceof AbstractBeanDefinition declared) ? declared : null;
		Set<String> names = new HashSet<>();
		if (InitializingBean.class.isAssignableFrom(this.type)) {
			names.add("afterPropertiesSet");
		}
		if (definition != null) {
			addAll(names, definition.getInitMethodNames());
		}
		// The container does not destroy prototypes.
		if (definition != null && definition.isPrototype()) {
			return names;
		}
		boolean disposable = DisposableBean.class.isAssignableFrom(this.type);
		String name = (definition != null) ? definition.getDestroyMethodName() : null;
		boolean inferred = (name != null) ? AbstractBeanDefinition.INFER_METHOD.equals(name)
				: AutoCloseable.class.isAssignableFrom(this.type);
		if (disposable) {
			names.add("destroy");
		}
		if (inferred && !disposable) {
			names.add(ClassUtils.hasMethod(this.type, "close") ? "close" : "shutdown");
		}
		else if (definition != null) {
			addAll(names, definition.getDestroyMethodNames());
		}
		return names;
	}

	private static void addAll(Set<String> names, String @Nullable [] declared) {
		names.addAll((declared != null) ? List.of(declared) : List.of());
	}

	// False only if the bean exists and certainly has no such proxy. What a factory bean
	// makes, as for a scoped proxy, is not looked at.
	private boolean isAdvised() {
		return this.bean == null || this.bean instanceof FactoryBean
				|| BeanFactoryLockOperationSourceAdvisor.isAdvising(this.bean) || isStandIn(this.bean);
	}

	// What the proxy is a proxy of takes the locks as well.
	private boolean isAdvisedTwice() {
		int takingLocks = 0;
		for (Object each = this.bean; each instanceof Advised proxy; each = AopProxyUtils.getSingletonTarget(each)) {
			takingLocks += BeanFactoryLockOperationSourceAdvisor.isIn(proxy) ? 1 : 0;
		}
		return takingLocks > 1;
	}

	// A bean that does not exist yet is proxied as the auto-proxy creator is set up.
	private static boolean isInterfaceBased(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
		boolean classBased = PROXY_SETTINGS.stream()
			.anyMatch((name) -> beanFactory.containsBeanDefinition(name) && Boolean.TRUE
				.equals(beanFactory.getBeanDefinition(name).getPropertyValues().get("proxyTargetClass")));
		return !classBased && Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
			.map(Class::getName)
			.anyMatch((name) -> !name.startsWith("java.") && !name.startsWith("org.springframework."));
	}

	static boolean isStandIn(Object bean) {
		return SpringFactoriesLoader.forDefaultResourceLocation(bean.getClass().getClassLoader())
			.load(StandIns.class)
			.stream()
			.anyMatch((standIns) -> standIns.isStandIn(bean));
	}

}
